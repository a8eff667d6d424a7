import type { LiveInput, OutputReport, StreamingResult } from '../../../session/index.ts'
import type { MemoryStreamingProvider } from '../memory-provider.ts'
import type { StreamingProvider } from '../provider.ts'

/** A call to a provider. */
export type Operation = Exclude<keyof StreamingProvider, 'name' | 'notice'>

/** A provider that does as the one in memory until it is told to fail, to be slow, or to know nothing. */
export class TroubledProvider implements StreamingProvider {
  readonly name: string
  readonly notice?: string
  /** Calls that fail. */
  readonly failing = new Set<Operation>()
  /** Whether it lists no output any more. */
  silent = false
  /** What it says of every output. */
  said: Pick<OutputReport, 'status' | 'error'> | undefined
  /** Every call, in order. */
  readonly calls: Operation[] = []
  readonly #inner: MemoryStreamingProvider
  /** Calls that wait to be let on. */
  readonly #held = new Map<Operation, (() => void)[]>()

  constructor(inner: MemoryStreamingProvider) {
    this.#inner = inner
    this.name = inner.name
    this.notice = inner.notice
  }

  /** The inputs there are. */
  get inputIds(): readonly string[] {
    return this.#inner.inputIds
  }

  /** From now on, calls wait until `letGo`. */
  hold(operation: Operation): void {
    this.#held.set(operation, [])
  }

  /** Calls that wait. */
  held(operation: Operation): number {
    return this.#held.get(operation)?.length ?? 0
  }

  /** Lets the calls that waited go on, and no others wait. */
  letGo(operation: Operation): void {
    const waiting = this.#held.get(operation) ?? []
    this.#held.delete(operation)
    for (const go of waiting) go()
  }

  createInput(): Promise<StreamingResult<LiveInput>> {
    return this.#call('createInput', () => this.#inner.createInput())
  }

  deleteInput(inputId: string): Promise<StreamingResult> {
    return this.#call('deleteInput', () => this.#inner.deleteInput(inputId))
  }

  isReady(inputId: string): Promise<StreamingResult<boolean>> {
    return this.#call('isReady', () => this.#inner.isReady(inputId))
  }

  addOutput(inputId: string, url: string): Promise<StreamingResult<string>> {
    return this.#call('addOutput', () => this.#inner.addOutput(inputId, url), url)
  }

  removeOutput(inputId: string, outputId: string): Promise<StreamingResult> {
    return this.#call('removeOutput', () => this.#inner.removeOutput(inputId, outputId))
  }

  async listOutputs(inputId: string): Promise<StreamingResult<readonly OutputReport[]>> {
    const result = await this.#call('listOutputs', () => this.#inner.listOutputs(inputId))
    if (!result.ok) return result
    if (this.silent) return { ok: true, value: [] }
    return { ok: true, value: result.value.map((report) => ({ ...report, ...this.said })) }
  }

  async #call<Value>(
    operation: Operation,
    go: () => Promise<StreamingResult<Value>>,
    detail = '',
  ): Promise<StreamingResult<Value>> {
    this.calls.push(operation)
    const held = this.#held.get(operation)
    if (held) await new Promise<void>((resolve) => held.push(resolve))
    // Providers repeat what they were given.
    return this.failing.has(operation) ? { ok: false, message: `It failed: ${detail}` } : go()
  }
}
