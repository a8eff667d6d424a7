import { MAX_OUTPUTS } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import {
  type Clock,
  maskStreamKeys,
  type SessionStreaming,
  type StreamingResult,
} from '../../session/index.ts'
import type { StreamingProvider } from './provider.ts'

/** How long the provider has for one answer, in ms. */
const deadlineMs = 15_000

/** Waits before each further attempt to delete an input, in ms. */
const deleteRetriesMs = [1_000, 10_000]

/** What live streams are made with. */
export interface LiveStreamsParts {
  /** Absent where none is configured: then there are no managed streams. */
  readonly provider: StreamingProvider | undefined
  readonly clock: Clock
  readonly log: Logger
}

/**
 * The managed streams of all sessions of this process: who owns which, how many outputs each app has, and the way
 * to the provider.
 */
export class LiveStreams {
  readonly #parts: LiveStreamsParts
  readonly #owners = new Map<string, string>()
  readonly #outputs = new Map<string, number>()
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #pauses = new Set<() => void>()
  #closing = false

  constructor(parts: LiveStreamsParts) {
    this.#parts = parts
  }

  /** What everybody who gets an answer should know of the provider, if anything. */
  get notice(): string | undefined {
    return this.#parts.provider?.notice
  }

  /** The id of the user whose glasses stream it. */
  ownerOf(streamId: string): string | undefined {
    return this.#owners.get(streamId)
  }

  /** What the sessions of a user work with; undefined where no provider is configured. */
  forUser(userId: string): SessionStreaming | undefined {
    const { provider } = this.#parts
    if (!provider) return undefined
    const forget = (inputId: string) => this.#delete(provider, inputId)
    return {
      notice: provider.notice,
      createInput: (done) =>
        this.#ask('createInput', provider.createInput(), done, ({ inputId }) => forget(inputId)),
      deleteInput: forget,
      isReady: (inputId, done) => this.#ask('isReady', provider.isReady(inputId), done),
      addOutput: (inputId, url, done) =>
        this.#ask('addOutput', provider.addOutput(inputId, url), done, (outputId) =>
          this.#ask('removeOutput', provider.removeOutput(inputId, outputId), () => {}),
        ),
      removeOutput: (inputId, outputId, done) =>
        this.#ask('removeOutput', provider.removeOutput(inputId, outputId), done),
      listOutputs: (inputId, done) => this.#ask('listOutputs', provider.listOutputs(inputId), done),
      streamOpened: (streamId) => void this.#owners.set(streamId, userId),
      streamClosed: (streamId) => void this.#owners.delete(streamId),
      reserveOutput: (packageName) => this.#reserve(packageName),
    }
  }

  /** Resolves when nothing is asked of the provider any more; what would be tried again is tried now. */
  async close(): Promise<void> {
    this.#closing = true
    for (const wake of this.#pauses) wake()
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
  }

  /** Asks the provider, and tells what came of it. */
  #ask<Value>(
    operation: string,
    answer: Promise<StreamingResult<Value>>,
    done: (result: StreamingResult<Value>) => void,
    late?: (value: Value) => void,
  ): void {
    this.#track(this.#answerOf(operation, answer, late).then(done))
  }

  /**
   * Waits for an answer, but not for ever.
   * @param late undoes what was done when nobody waited for it any more
   */
  #answerOf<Value>(
    operation: string,
    answer: Promise<StreamingResult<Value>>,
    late?: (value: Value) => void,
  ): Promise<StreamingResult<Value>> {
    return new Promise((resolve) => {
      let waiting = true
      const settle = (result: StreamingResult<Value>) => {
        if (waiting && !result.ok) this.#failed(operation, result.message)
        if (!waiting && result.ok) late?.(result.value)
        waiting = false
        deadline.cancel()
        resolve(result)
      }
      const deadline = this.#parts.clock.after(deadlineMs, () =>
        settle({ ok: false, message: 'No answer came in time' }),
      )
      answer.catch(thrown).then(settle)
    })
  }

  #delete(provider: StreamingProvider, inputId: string): void {
    const attempt = async () => {
      for (const waitMs of [...deleteRetriesMs, undefined]) {
        const { ok } = await this.#answerOf('deleteInput', provider.deleteInput(inputId))
        if (ok) return
        if (waitMs === undefined || this.#closing) break
        await this.#pause(waitMs)
      }
      this.#parts.log.error({ inputId }, 'streams: an input stays at the provider, delete it by hand')
    }
    this.#track(attempt())
  }

  #reserve(packageName: string): (() => void) | undefined {
    const taken = this.#outputs.get(packageName) ?? 0
    if (taken >= MAX_OUTPUTS.perApp) return undefined
    this.#outputs.set(packageName, taken + 1)
    let mine = true
    return () => {
      if (!mine) return
      mine = false
      const left = (this.#outputs.get(packageName) ?? 1) - 1
      if (left > 0) this.#outputs.set(packageName, left)
      else this.#outputs.delete(packageName)
    }
  }

  async #pause(ms: number): Promise<void> {
    const { clock } = this.#parts
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
    const tracked = task.finally(() => this.#underWay.delete(tracked))
    this.#underWay.add(tracked)
  }

  #failed(operation: string, message: string): void {
    const { log, provider } = this.#parts
    log.warn(
      { provider: provider?.name, operation, reason: maskStreamKeys(message) },
      'streams: provider failed',
    )
  }
}

function thrown(error: unknown): { readonly ok: false; readonly message: string } {
  return { ok: false, message: error instanceof Error ? error.message : String(error) }
}
