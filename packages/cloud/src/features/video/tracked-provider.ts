import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { LiveInput, OutputReport, StreamingResult } from '../../session/index.ts'
import type { Clock } from '../../time/index.ts'
import type { ExternalProvider, InputRequest, StreamingProvider } from './provider.ts'
import type { ProviderRecordingStore } from './provider-recording-store.ts'
import type { RecordedInput, StreamInputStore } from './stream-input-store.ts'

/** Time without renewal after which the process that holds an input counts as dead. */
export const INPUT_LEASE_MS = 3 * 60_000

/** Time for which a deletion waits for other nodes to delete the inputs of the user. */
const RELEASE_TIMEOUT_MS = 10_000

const RELEASE_POLL_MS = 100

/** Inputs that one sweep releases. */
const SWEEP_LIMIT = 100

export interface TrackedProviderDeps {
  readonly provider: ExternalProvider
  readonly store: StreamInputStore
  readonly recordings: ProviderRecordingStore
  /** Id of this process. */
  readonly holder: string
  /** Address at which other nodes reach this one. */
  readonly nodeUrl: () => string
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Records every input before its provider is asked for it, so that the inputs of a process that died can be released, and
 * so that other nodes find the node of an input; and every recording that remains at the provider, so that it is exported
 * and deleted with its user.
 */
export class TrackedProvider implements StreamingProvider {
  readonly #deps: TrackedProviderDeps
  /** The inputs of this process by their ids. */
  readonly #inputs = new Map<string, { readonly name: string; readonly userId: string }>()

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
    const { userId } = request
    await store.add({ name, provider: provider.name, holder, nodeUrl: nodeUrl(), userId }, clock.now())
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
    this.#inputs.set(inputId, { name, userId })
    return created
  }

  async deleteInput(inputId: string): Promise<StreamingResult> {
    const input = this.#inputs.get(inputId)
    const deleted = await this.#delete(inputId, input?.userId ?? null)
    if (!deleted.ok || input === undefined) return deleted
    await this.#deps.store.remove(input.name)
    this.#inputs.delete(inputId)
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
    for (const input of expired) {
      const { name } = input
      const released = await this.#release(input)
      if (released.ok) await store.remove(name)
      else
        log.warn({ provider: provider.name, reason: released.message }, 'streams: an orphaned input remains')
    }
  }

  /**
   * Deletes the inputs of a user, and waits until other nodes have deleted those that only they can delete.
   * @throws Error if one remains
   */
  async releaseByUser(userId: string): Promise<void> {
    const { provider, store, holder, clock } = this.#deps
    const deadline = clock.monotonicNow() + RELEASE_TIMEOUT_MS
    for (;;) {
      const inputs = await store.listByUser(provider.name, userId)
      if (inputs.length === 0) return
      let problem = 'another node does not delete it'
      for (const input of inputs) {
        const { name, inputId } = input
        const isElsewhere = provider.isInProcess && input.holder !== holder
        if (isElsewhere && input.renewedAt >= clock.now() - INPUT_LEASE_MS) continue
        const released = isElsewhere ? NOTHING : await this.#release(input)
        if (!released.ok) problem = released.message
        else {
          await store.remove(name)
          if (inputId !== null) this.#inputs.delete(inputId)
        }
      }
      if (clock.monotonicNow() > deadline) throw new Error(`An input of the user remains: ${problem}`)
      await new Promise<void>((resolve) => void clock.after(RELEASE_POLL_MS, resolve))
    }
  }

  /** Deletes the recordings of a user that remain at the provider. @throws Error if one cannot be deleted */
  async deleteRecordingsByUser(userId: string): Promise<void> {
    const { provider, recordings } = this.#deps
    for (const recording of await recordings.listByUser(userId)) {
      if (recording.provider !== provider.name || !provider.deleteRecording) continue
      const deleted = await provider.deleteRecording(recording.id)
      if (!deleted.ok) throw new Error(`A recording could not be deleted: ${deleted.message}`)
      await recordings.remove(provider.name, recording.id)
    }
  }

  /** Stores which recordings of an input remain, then deletes the input. Recordings of deleted users are deleted. */
  async #delete(inputId: string, userId: string | null): Promise<StreamingResult> {
    const { provider, recordings, clock } = this.#deps
    const found = (userId !== null && (await provider.recordings?.(inputId))) || NO_RECORDINGS
    if (!found.ok) return found
    for (const { id, url } of found.value) {
      const recording = { provider: provider.name, id, url, recordedAt: clock.now() }
      const isStored = userId !== null && (await recordings.add(userId, recording))
      const deleted = isStored ? undefined : await provider.deleteRecording?.(id)
      if (deleted?.ok === false) return deleted
    }
    return provider.deleteInput(inputId)
  }

  async #release({ name, inputId, userId }: RecordedInput): Promise<StreamingResult> {
    const { provider } = this.#deps
    const found =
      inputId === null ? await provider.findInputs(name) : ({ ok: true, value: [inputId] } as const)
    if (!found.ok) return found
    for (const id of found.value) {
      const deleted = await this.#delete(id, userId)
      if (!deleted.ok) return deleted
    }
    return NOTHING
  }
}

const NOTHING = { ok: true, value: undefined } as const

const NO_RECORDINGS = { ok: true, value: [] } as const
