import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { LiveInput, OutputReport, StreamingResult } from '../../session/index.ts'
import type { Clock } from '../../time/index.ts'
import type { ExternalProvider, InputRequest, StreamingProvider } from './provider.ts'
import type { StreamInputStore } from './stream-input-store.ts'

/** Time without renewal after which the process that holds an input counts as dead. */
export const INPUT_LEASE_MS = 3 * 60_000

/** Inputs that one sweep releases. */
const SWEEP_LIMIT = 100

export interface TrackedProviderDeps {
  readonly provider: ExternalProvider
  readonly store: StreamInputStore
  /** Id of this process. */
  readonly holder: string
  /** Address at which other nodes reach this one. */
  readonly nodeUrl: () => string
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Records every input before its provider is asked for it, so that the inputs of a process that died can be released, and
 * so that other nodes find the node of an input.
 */
export class TrackedProvider implements StreamingProvider {
  readonly #deps: TrackedProviderDeps
  /** The names of the inputs of this process. */
  readonly #names = new Map<string, string>()

  constructor(deps: TrackedProviderDeps) {
    this.#deps = deps
  }

  get name(): string {
    return this.#deps.provider.name
  }

  get notice(): string | undefined {
    return this.#deps.provider.notice
  }

  async createInput(request: InputRequest): Promise<StreamingResult<LiveInput>> {
    const { provider, store, holder, nodeUrl, clock } = this.#deps
    const name = randomUUID()
    await store.add({ name, provider: provider.name, holder, nodeUrl: nodeUrl() }, clock.now())
    const created = await provider.createInput({ ...request, name })
    if (!created.ok) {
      // The input may exist nevertheless; the sweep finds out, unless it could only exist in this process.
      await (provider.isInProcess ? store.remove(name) : store.abandon(name))
      return created
    }
    const { inputId } = created.value
    try {
      await store.setInputId(name, inputId)
    } catch (error) {
      await provider.deleteInput(inputId)
      throw error
    }
    this.#names.set(inputId, name)
    return created
  }

  async deleteInput(inputId: string): Promise<StreamingResult> {
    const deleted = await this.#deps.provider.deleteInput(inputId)
    const name = this.#names.get(inputId)
    if (!deleted.ok || name === undefined) return deleted
    await this.#deps.store.remove(name)
    this.#names.delete(inputId)
    return deleted
  }

  isReady(inputId: string): Promise<StreamingResult<boolean>> {
    return this.#deps.provider.isReady(inputId)
  }

  addOutput(inputId: string, url: string): Promise<StreamingResult<string>> {
    return this.#deps.provider.addOutput(inputId, url)
  }

  removeOutput(inputId: string, outputId: string): Promise<StreamingResult> {
    return this.#deps.provider.removeOutput(inputId, outputId)
  }

  listOutputs(inputId: string): Promise<StreamingResult<readonly OutputReport[]>> {
    return this.#deps.provider.listOutputs(inputId)
  }

  get watchOutputs(): StreamingProvider['watchOutputs'] {
    const { provider } = this.#deps
    return provider.watchOutputs?.bind(provider)
  }

  problem(): Promise<string | undefined> {
    return this.#deps.provider.problem()
  }

  async close(): Promise<void> {
    await this.#deps.provider.close?.()
  }

  /** Renews the inputs of this process, and releases those of processes that died. */
  async sweep(): Promise<void> {
    const { provider, store, holder, clock, log } = this.#deps
    await store.renew(holder, clock.now())
    const expired = await store.listExpired(provider.name, clock.now() - INPUT_LEASE_MS, SWEEP_LIMIT)
    for (const { name, inputId } of expired) {
      const released = await this.#release(name, inputId)
      if (released.ok) await store.remove(name)
      else
        log.warn({ provider: provider.name, reason: released.message }, 'streams: an orphaned input remains')
    }
  }

  async #release(name: string, inputId: string | null): Promise<StreamingResult> {
    const { provider } = this.#deps
    const found =
      inputId === null ? await provider.findInputs(name) : ({ ok: true, value: [inputId] } as const)
    if (!found.ok) return found
    for (const id of found.value) {
      const deleted = await provider.deleteInput(id)
      if (!deleted.ok) return deleted
    }
    return { ok: true, value: undefined }
  }
}
