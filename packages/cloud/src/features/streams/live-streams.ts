import { MAX_OUTPUTS } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import {
  type Clock,
  maskStreamKeys,
  type SessionStreaming,
  type StreamingResult,
} from '../../session/index.ts'
import type { StreamingProvider } from './provider.ts'

/** Time within which the provider must respond. */
const RESPONSE_TIMEOUT_MS = 15_000

/** Delay before each retry of deleting an input. */
const DELETE_RETRY_DELAYS_MS = [1_000, 10_000]

export interface LiveStreamsDeps {
  /** Undefined if none is configured: managed streams are then rejected. */
  readonly provider: StreamingProvider | undefined
  readonly clock: Clock
  readonly log: Logger
}

/**
 * The managed streams of all sessions of this process: their owners, the number of outputs of each app, and the calls
 * of the provider.
 */
export class LiveStreams {
  readonly #deps: LiveStreamsDeps
  readonly #owners = new Map<string, string>()
  readonly #outputs = new Map<string, number>()
  readonly #pendingCalls = new Set<Promise<unknown>>()
  readonly #pauses = new Set<() => void>()
  #closing = false

  constructor(deps: LiveStreamsDeps) {
    this.#deps = deps
  }

  /** Notice of the provider, which is added to responses. */
  get notice(): string | undefined {
    return this.#deps.provider?.notice
  }

  /** Returns the id of the user whose glasses send the stream. */
  ownerOf(streamId: string): string | undefined {
    return this.#owners.get(streamId)
  }

  /** Returns the streaming port for the sessions of a user; undefined if no provider is configured. */
  forUser(userId: string): SessionStreaming | undefined {
    const { provider } = this.#deps
    if (!provider) return undefined
    const deleteInput = (inputId: string) => this.#delete(provider, inputId)
    return {
      notice: provider.notice,
      createInput: (done) =>
        this.#call('createInput', provider.createInput(), done, ({ inputId }) => deleteInput(inputId)),
      deleteInput,
      isReady: (inputId, done) => this.#call('isReady', provider.isReady(inputId), done),
      addOutput: (inputId, url, done) =>
        this.#call('addOutput', provider.addOutput(inputId, url), done, (outputId) =>
          this.#call('removeOutput', provider.removeOutput(inputId, outputId), () => {}),
        ),
      removeOutput: (inputId, outputId, done) =>
        this.#call('removeOutput', provider.removeOutput(inputId, outputId), done),
      listOutputs: (inputId, done) => this.#call('listOutputs', provider.listOutputs(inputId), done),
      streamOpened: (streamId) => void this.#owners.set(streamId, userId),
      streamClosed: (streamId) => void this.#owners.delete(streamId),
      reserveOutput: (packageName) => this.#reserve(packageName),
    }
  }

  /** Resolves when all calls of the provider are complete; pending retries run immediately. */
  async close(): Promise<void> {
    this.#closing = true
    for (const wake of this.#pauses) wake()
    while (this.#pendingCalls.size > 0) await Promise.allSettled(this.#pendingCalls)
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

  #reserve(packageName: string): (() => void) | undefined {
    const count = this.#outputs.get(packageName) ?? 0
    if (count >= MAX_OUTPUTS.perApp) return undefined
    this.#outputs.set(packageName, count + 1)
    let isReserved = true
    return () => {
      if (!isReserved) return
      isReserved = false
      const left = (this.#outputs.get(packageName) ?? 1) - 1
      if (left > 0) this.#outputs.set(packageName, left)
      else this.#outputs.delete(packageName)
    }
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
