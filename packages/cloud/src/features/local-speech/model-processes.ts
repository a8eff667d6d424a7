import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../../time/index.ts'
import type { InstalledModels, SpeechModel } from '../speech-models/index.ts'
import type { ModelProcess, ModelProcessOptions } from './model-process.ts'

/** Delay before a model is loaded again after its process ended by itself; doubles up to the maximum. */
const FIRST_RESTART_MS = 500
const MAX_RESTART_MS = 60_000
/** A process that ran this long was not broken from the start. */
const STABLE_MS = 30_000

export interface ModelProcessesDeps {
  readonly models: InstalledModels
  readonly clock: Clock
  readonly log: Logger
  /** Memory that a new process may use, in bytes. */
  readonly availableMemory?: () => number
}

/** The part of a process that is managed. */
type RunningModel = Pick<ModelProcess<never, never>, 'model' | 'companions' | 'loaded' | 'pid' | 'end'>

interface Broken {
  readonly retryAt: number
  readonly delayMs: number
  readonly problem: string
}

/**
 * Starts the processes of models on this node, if there is memory for them and they did not end by themselves just before, and
 * ends those of models that are removed.
 */
export class ModelProcesses<Process extends RunningModel> {
  readonly #deps: ModelProcessesDeps
  readonly #what: string
  readonly #create: (options: ModelProcessOptions) => Process
  readonly #companionsOf: (model: SpeechModel) => readonly SpeechModel[]
  readonly #running = new Set<Process>()
  /** Models whose process ended by itself, by fingerprint. */
  readonly #broken = new Map<string, Broken>()
  /** Processes that are being started, by fingerprint of their model. */
  readonly #loading = new Map<string, Promise<void>>()
  readonly #stopWatching: () => void
  #isClosed = false

  /**
   * @param what the processes are, for the log
   * @param companionsOf further models that the process of a model loads
   */
  constructor(
    deps: ModelProcessesDeps,
    what: string,
    create: (options: ModelProcessOptions) => Process,
    companionsOf: (model: SpeechModel) => readonly SpeechModel[] = () => [],
  ) {
    this.#companionsOf = companionsOf
    this.#deps = deps
    this.#what = what
    this.#create = create
    this.#stopWatching = deps.models.onChange(() => this.#endRemoved())
  }

  /** All processes, also those that load their models. */
  get all(): Process[] {
    return [...this.#running]
  }

  /** The processes that a model would have if they started now: others keep their streams until they end. */
  of(model: SpeechModel): Process[] {
    const fingerprint = fingerprintsOf([model, ...this.#companionsOf(model)])
    return this.all.filter(
      (process) => fingerprintsOf([process.model, ...process.companions]) === fingerprint,
    )
  }

  isLoading(model: SpeechModel): boolean {
    return this.#loading.has(fingerprintOf(model))
  }

  /**
   * Starts a process, and resolves when its model is loaded. All who call it meanwhile share that process.
   * @throws Error with a sentence, without paths, that says why the model is not loaded
   */
  load(model: SpeechModel): Promise<void> {
    const fingerprint = fingerprintOf(model)
    const loading = this.#loading.get(fingerprint)
    if (loading) return loading
    const started = this.#start(model, fingerprint).finally(() => this.#loading.delete(fingerprint))
    this.#loading.set(fingerprint, started)
    return started
  }

  /** Process ids, for tests that end them. */
  pids(): number[] {
    return this.all.flatMap(({ pid }) => pid ?? [])
  }

  close(): void {
    this.#isClosed = true
    this.#stopWatching()
    for (const process of this.all) process.end(undefined)
  }

  async #start(model: SpeechModel, fingerprint: string): Promise<void> {
    const { models, clock, log, availableMemory = () => process.availableMemory() } = this.#deps
    const broken = this.#broken.get(fingerprint)
    if (broken && clock.monotonicNow() < broken.retryAt) throw new Error(broken.problem)
    const companions = this.#companionsOf(model)
    const needed = [model, ...companions].reduce((sum, { memoryBytes }) => sum + memoryBytes, 0)
    const free = availableMemory()
    if (needed > free)
      throw new Error(
        `${model.id} needs ${megabytes(needed)} MB of memory, and ${megabytes(free)} MB are free`,
      )
    const [folder = '', ...folders] = await Promise.all(
      [model, ...companions].map(({ id }) => models.folderOf(id)),
    )
    if (this.#isClosed) throw new Error('the cloud is being stopped')
    if (!this.#isInstalled(fingerprint)) throw new Error(`${model.id} was removed`)
    const startedAt = clock.monotonicNow()
    const started: Process = this.#create({
      model,
      folder,
      companions: companions.map((companion, index) => ({ model: companion, folder: folders[index] ?? '' })),
      clock,
      onEnd: (problem, output) => {
        this.#running.delete(started)
        if (problem === undefined) return
        log.warn({ model: model.id, output }, `${this.#what}: ${model.id}: ${problem}`)
        this.#recordEnd(model, fingerprint, problem, clock.monotonicNow() - startedAt)
      },
    })
    this.#running.add(started)
    await started.loaded
  }

  #recordEnd({ id }: SpeechModel, fingerprint: string, problem: string, ranMs: number): void {
    const last = ranMs >= STABLE_MS ? undefined : this.#broken.get(fingerprint)
    const delayMs = Math.min(MAX_RESTART_MS, last ? last.delayMs * 2 : FIRST_RESTART_MS)
    this.#broken.set(fingerprint, {
      retryAt: this.#deps.clock.monotonicNow() + delayMs,
      delayMs,
      problem: `${id}: ${problem}`,
    })
  }

  #endRemoved(): void {
    for (const process of this.all)
      if (!this.#isInstalled(fingerprintOf(process.model))) process.end('the model was removed')
    for (const fingerprint of this.#broken.keys())
      if (!this.#isInstalled(fingerprint)) this.#broken.delete(fingerprint)
  }

  #isInstalled(fingerprint: string): boolean {
    return this.#deps.models.list().some((model) => fingerprintOf(model) === fingerprint)
  }
}

function fingerprintsOf(models: readonly SpeechModel[]): string {
  return models.map(fingerprintOf).join(' ')
}

function megabytes(bytes: number): string {
  return (bytes / 1_024 / 1_024).toFixed(0)
}

/** Identifies a model with its files: another model, or other files, have another fingerprint. */
export function fingerprintOf({ id, architecture, files }: SpeechModel): string {
  const contents = files.map(({ name, role, sha256 }) => [name, role, sha256])
  return createHash('sha256')
    .update(JSON.stringify([id, architecture, contents]))
    .digest('hex')
    .slice(0, 16)
}
