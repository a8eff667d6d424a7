import type { Logger } from 'pino'
import { maskStreamKeys, type SessionStreaming, type StreamingResult } from '../../session/index.ts'
import type { Clock, Timer } from '../../time/index.ts'
import type { LiveStreamStore } from './live-stream-store.ts'
import type { OutputPlaces } from './output-places.ts'
import type { StreamingProvider } from './provider.ts'

/** Time within which the provider must respond. */
const RESPONSE_TIMEOUT_MS = 15_000

/** Delay before each retry of deleting an input. */
const DELETE_RETRY_DELAYS_MS = [1_000, 10_000]

/** Interval in which outputs are checked at a provider that does not report changes. */
const OUTPUT_CHECK_MS = 15_000

export interface LiveStreamsDeps {
  /** Undefined if none is configured: managed streams are then rejected. */
  readonly provider: StreamingProvider | undefined
  /** Why the configured provider cannot be used. */
  readonly problem?: string | undefined
  /** Where the streams of all nodes are; undefined: this is the only node. */
  readonly store?: LiveStreamStore | undefined
  /** The limit of outputs per app. */
  readonly places: OutputPlaces
  readonly clock: Clock
  readonly log: Logger
}

/** The managed streams of all sessions of this process: their users, and the calls of the provider. */
export class LiveStreams {
  readonly #deps: LiveStreamsDeps
  readonly #users = new Map<string, string>()
  readonly #pendingCalls = new Set<Promise<unknown>>()
  readonly #pauses = new Set<() => void>()
  #recording: Promise<void> = Promise.resolve()
  #closing = false

  constructor(deps: LiveStreamsDeps) {
    this.#deps = deps
  }

  /** Notice of the provider, which is added to responses. */
  get notice(): string | undefined {
    return this.#deps.provider?.notice
  }

  /** Why managed streams are not available although a provider is configured. */
  get problem(): string | undefined {
    return this.#deps.problem
  }

  /** Returns the id of the user whose glasses send the stream, on any node. */
  async userOf(streamId: string): Promise<string | undefined> {
    return this.#users.get(streamId) ?? (await this.#deps.store?.findUser(streamId))
  }

  /** Returns the id of the user whose glasses send the stream, if their session is on this node. */
  localUserOf(streamId: string): string | undefined {
    return this.#users.get(streamId)
  }

  /** Returns the streaming port for the sessions of a user; undefined if no provider is configured. */
  forUser(userId: string): SessionStreaming | undefined {
    const { provider } = this.#deps
    if (!provider) return undefined
    const deleteInput = (inputId: string) => this.#delete(provider, inputId)
    return {
      notice: provider.notice,
      createInput: (done) =>
        this.#call('createInput', provider.createInput({ userId }), done, ({ inputId }) =>
          deleteInput(inputId),
        ),
      deleteInput,
      isReady: (inputId, done) => this.#call('isReady', provider.isReady(inputId), done),
      addOutput: (inputId, url, done) =>
        this.#call('addOutput', provider.addOutput(inputId, url), done, (outputId) =>
          this.#call('removeOutput', provider.removeOutput(inputId, outputId), () => {}),
        ),
      removeOutput: (inputId, outputId, done) =>
        this.#call('removeOutput', provider.removeOutput(inputId, outputId), done),
      listOutputs: (inputId, done) => this.#call('listOutputs', provider.listOutputs(inputId), done),
      watchOutputs: (inputId, changed) =>
        provider.watchOutputs?.(inputId, changed) ?? this.#checkOutputs(changed),
      streamOpened: (streamId) => {
        this.#users.set(streamId, userId)
        const startedAt = this.#deps.clock.now()
        this.#record((store) => store.open(userId, { streamId, startedAt }))
      },
      streamClosed: (streamId) => {
        this.#users.delete(streamId)
        this.#record((store) => store.close(userId, streamId))
      },
      reserveOutputs: (packageName, count, done) => this.#deps.places.reserve(packageName, count, done),
    }
  }

  /** Resolves when all calls of the provider are complete; pending retries run immediately. */
  async close(): Promise<void> {
    this.#closing = true
    for (const wake of this.#pauses) wake()
    while (this.#pendingCalls.size > 0) await Promise.allSettled(this.#pendingCalls)
    await this.#deps.places.close()
  }

  /** Calls `changed` periodically, since the provider does not report changes. */
  #checkOutputs(changed: () => void): () => void {
    const { clock } = this.#deps
    const next = (): Timer =>
      clock.after(OUTPUT_CHECK_MS, () => {
        timer = next()
        changed()
      })
    let timer = next()
    return () => timer.cancel()
  }

  /** Reports the result of a call of the provider. */
  #call<Value>(
    operation: string,
    call: Promise<StreamingResult<Value>>,
    done: (result: StreamingResult<Value>) => void,
    undo?: (value: Value) => void,
  ): void {
    this.#track(this.#resultOf(operation, call, undo).then(done))
  }

  /**
   * Waits for the result of a call, at most `RESPONSE_TIMEOUT_MS`.
   * @param undo called if the call succeeds after the timeout
   */
  #resultOf<Value>(
    operation: string,
    call: Promise<StreamingResult<Value>>,
    undo?: (value: Value) => void,
  ): Promise<StreamingResult<Value>> {
    return new Promise((resolve) => {
      let isPending = true
      const complete = (result: StreamingResult<Value>) => {
        if (isPending && !result.ok) this.#failed(operation, result.message)
        if (!isPending && result.ok) undo?.(result.value)
        isPending = false
        deadline.cancel()
        resolve(result)
      }
      const deadline = this.#deps.clock.after(RESPONSE_TIMEOUT_MS, () =>
        complete({ ok: false, message: 'The provider did not respond in time' }),
      )
      call.catch(failureOf).then(complete)
    })
  }

  #delete(provider: StreamingProvider, inputId: string): void {
    const attempt = async () => {
      for (const waitMs of [...DELETE_RETRY_DELAYS_MS, undefined]) {
        const { ok } = await this.#resultOf('deleteInput', provider.deleteInput(inputId))
        if (ok) return
        if (waitMs === undefined || this.#closing) break
        await this.#pause(waitMs)
      }
      this.#deps.log.error(
        { inputId },
        'streams: an input could not be deleted at the provider; delete it manually',
      )
    }
    this.#track(attempt())
  }

  async #pause(ms: number): Promise<void> {
    const { clock } = this.#deps
    await new Promise<void>((resolve) => {
      const wake = () => {
        timer.cancel()
        this.#pauses.delete(wake)
        resolve()
      }
      const timer = clock.after(ms, wake)
      this.#pauses.add(wake)
    })
  }

  /** Writes to the store, in order. Other nodes do not find a stream that could not be stored. */
  #record(write: (store: LiveStreamStore) => Promise<void>): void {
    const { store, log } = this.#deps
    if (!store) return
    this.#recording = this.#recording
      .then(() => write(store))
      .catch((err: unknown) => log.error({ err }, 'streams: a stream could not be stored for other nodes'))
    this.#track(this.#recording)
  }

  #track(task: Promise<unknown>): void {
    const tracked = task.finally(() => this.#pendingCalls.delete(tracked))
    this.#pendingCalls.add(tracked)
  }

  #failed(operation: string, message: string): void {
    const { log, provider } = this.#deps
    log.warn(
      { provider: provider?.name, operation, reason: maskStreamKeys(message) },
      'streams: provider failed',
    )
  }
}

function failureOf(error: unknown): { readonly ok: false; readonly message: string } {
  return { ok: false, message: error instanceof Error ? error.message : String(error) }
}
