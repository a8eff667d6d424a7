import type { LiveInput, OutputReport, StreamingResult } from '../../../session/index.ts'
import type { MemoryStreamingProvider } from '../memory-provider.ts'
import type { StreamingProvider } from '../provider.ts'

/** A call to a provider. */
export type Operation = Exclude<
  keyof StreamingProvider,
  'name' | 'notice' | 'problem' | 'watchOutputs' | 'close'
>

/** A memory provider whose calls can be made to fail, to wait, or to return other outputs. */
export class TroubledProvider implements StreamingProvider {
  readonly name: string
  readonly notice?: string
  /** Operations that fail. */
  readonly failing = new Set<Operation>()
  /** Whether `listOutputs` returns no outputs. */
  hidesOutputs = false
  /** Overrides the status of every output. */
  outputOverride: Pick<OutputReport, 'status' | 'error'> | undefined
  /** Every call, in order. */
  readonly calls: Operation[] = []
  readonly #inner: MemoryStreamingProvider
  /** Paused calls by operation. */
  readonly #paused = new Map<Operation, (() => void)[]>()

  constructor(inner: MemoryStreamingProvider) {
    this.#inner = inner
    this.name = inner.name
    this.notice = inner.notice
  }

  /** Ids of the existing inputs. */
  get inputIds(): readonly string[] {
    return this.#inner.inputIds
  }

  /** Pauses further calls of an operation until `resume`. */
  pause(operation: Operation): void {
    this.#paused.set(operation, [])
  }

  /** Returns the number of paused calls. */
  pausedCalls(operation: Operation): number {
    return this.#paused.get(operation)?.length ?? 0
  }

  /** Resumes paused calls; further calls are not paused. */
  resume(operation: Operation): void {
    const paused = this.#paused.get(operation) ?? []
    this.#paused.delete(operation)
    for (const proceed of paused) proceed()
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
    if (this.hidesOutputs) return { ok: true, value: [] }
    return { ok: true, value: result.value.map((report) => ({ ...report, ...this.outputOverride })) }
  }

  problem(): Promise<string | undefined> {
    return this.#inner.problem()
  }

  async #call<Value>(
    operation: Operation,
    run: () => Promise<StreamingResult<Value>>,
    detail = '',
  ): Promise<StreamingResult<Value>> {
    this.calls.push(operation)
    const paused = this.#paused.get(operation)
    if (paused) await new Promise<void>((resolve) => paused.push(resolve))
    // Real providers repeat arguments in their messages.
    return this.failing.has(operation) ? { ok: false, message: `It failed: ${detail}` } : run()
  }
}
