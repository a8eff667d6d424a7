import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import type { LabeledValue, Metrics } from '../../http/metrics.ts'
import type { Clock } from '../../time/index.ts'
import type { InstalledModels, SpeechModel } from '../speech-models/index.ts'
import { RecognizerProcess } from './recognizer-process.ts'

/** Delay before a model is loaded again after its process ended by itself; doubles up to the maximum. */
const FIRST_RESTART_MS = 500
const MAX_RESTART_MS = 60_000
/** A process that ran this long was not broken from the start. */
const STABLE_MS = 30_000

/** All processes recognize as much as they can. */
export class RecognizersBusyError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'RecognizersBusyError'
  }
}

/** A place for a stream in a process whose model is loaded. */
export interface RecognizerPlace {
  readonly process: RecognizerProcess
  /** Code to recognize; undefined to detect it. */
  readonly language: string | undefined
  release(): void
}

export interface RecognizerPoolDeps {
  readonly models: InstalledModels
  readonly clock: Clock
  readonly log: Logger
  /** Processes of one model; default: one less than there are processors. */
  readonly maxProcesses?: number
  /** Streams of one process at most, however fast it is. */
  readonly maxStreams?: number
  /** Memory that a new process may use, in bytes. */
  readonly availableMemory?: () => number
}

/** What runs, for the health page. */
export interface RecognizerState {
  readonly model: string
  readonly streams: number
  readonly capacity: number | undefined
  readonly realTimeFactor: number | undefined
}

interface Broken {
  readonly retryAt: number
  readonly delayMs: number
  readonly problem: string
}

/** The recognizer processes of this node: one for each model in use, and more while there are more streams. */
export class RecognizerPool {
  readonly #deps: RecognizerPoolDeps
  readonly #maxProcesses: number
  readonly #processes = new Set<RecognizerProcess>()
  /** Models whose process ended by itself. */
  readonly #broken = new Map<string, Broken>()
  /** Processes that are being started, by model. */
  readonly #loading = new Map<string, Promise<void>>()
  readonly #stopWatching: () => void
  #isClosed = false

  constructor(deps: RecognizerPoolDeps) {
    this.#deps = deps
    this.#maxProcesses = deps.maxProcesses ?? Math.max(1, availableParallelism() - 1)
    this.#stopWatching = deps.models.onChange(() => this.#endRemoved())
  }

  /** Whether a model recognizes the language. @param language a code without region, or `auto` to detect it */
  supports(language: string): boolean {
    return this.#modelFor(language) !== undefined
  }

  /** Whether there is a recognizer at all. */
  get hasModels(): boolean {
    return this.#deps.models.list().some(isRecognizer)
  }

  /** Process ids, for tests that end them. */
  pids(): number[] {
    return [...this.#processes].flatMap(({ pid }) => pid ?? [])
  }

  list(): RecognizerState[] {
    return [...this.#processes].map(({ model, streams, load }) => ({
      model: model.id,
      streams,
      capacity: load?.capacity,
      realTimeFactor: load?.realTimeFactor,
    }))
  }

  /**
   * Finds a place for a stream, and starts a process if none has room.
   * @param language a code without region, or `auto`
   * @throws RecognizersBusyError; Error with a sentence if the model cannot be loaded
   */
  async place(language: string): Promise<RecognizerPlace> {
    const model = this.#modelFor(language)
    if (!model) throw new Error(`no installed model recognizes ${language}`)
    for (;;) {
      const process = this.#roomiest(model)
      if (process)
        return { process, language: language === 'auto' ? undefined : language, release: process.reserve() }
      await (this.#loading.get(model.id) ?? this.#load(model))
    }
  }

  /** Measures the streams and the speed of each model in use. */
  addMetrics(metrics: Pick<Metrics, 'gauge' | 'gauges'>): void {
    metrics.gauge('local_speech_processes', 'Processes that recognize speech', () => this.#processes.size)
    const byModel = (read: (processes: readonly RecognizerState[]) => number) => () =>
      [...Map.groupBy(this.list(), ({ model }) => model)].map(
        ([model, processes]): LabeledValue<'model'> => [{ model }, read(processes)],
      )
    const sum = (values: readonly (number | undefined)[]) =>
      values.reduce<number>((total, value) => total + (value ?? 0), 0)
    metrics.gauges(
      'local_speech_streams',
      'Streams that are recognized on this machine',
      ['model'],
      byModel((processes) => sum(processes.map(({ streams }) => streams))),
    )
    metrics.gauges(
      'local_speech_capacity',
      'Streams that the running processes recognize in time',
      ['model'],
      byModel((processes) => sum(processes.map(({ capacity }) => capacity))),
    )
    metrics.gauges(
      'local_speech_real_time_factor',
      'Seconds of work for a second of audio',
      ['model'],
      byModel((processes) => Math.max(...processes.map(({ realTimeFactor }) => realTimeFactor ?? 0))),
    )
  }

  close(): void {
    this.#isClosed = true
    this.#stopWatching()
    for (const process of this.#processes) process.end(undefined)
  }

  #roomiest(model: SpeechModel): RecognizerProcess | undefined {
    return this.#processesOf(model)
      .filter(({ hasRoom }) => hasRoom)
      .sort((a, b) => a.streams - b.streams)[0]
  }

  #processesOf({ id }: SpeechModel): RecognizerProcess[] {
    return [...this.#processes].filter(({ model }) => model.id === id)
  }

  /** Starts a process. All who wait for a place in one of this model share it. */
  #load(model: SpeechModel): Promise<void> {
    const loading = this.#start(model).finally(() => this.#loading.delete(model.id))
    this.#loading.set(model.id, loading)
    return loading
  }

  async #start(model: SpeechModel): Promise<void> {
    const { models, clock, log, maxStreams, availableMemory = () => process.availableMemory() } = this.#deps
    if (this.#processesOf(model).length >= this.#maxProcesses)
      throw new RecognizersBusyError(`${model.id} recognizes as many streams as it can in time`)
    const broken = this.#broken.get(model.id)
    if (broken && clock.monotonicNow() < broken.retryAt) throw new Error(broken.problem)
    const free = availableMemory()
    if (model.memoryBytes > free)
      throw new Error(
        `${model.id} needs ${megabytes(model.memoryBytes)} MB of memory, and ${megabytes(free)} MB are free`,
      )
    const folder = await models.folderOf(model.id)
    if (this.#isClosed) throw new Error('the cloud is being stopped')
    const startedAt = clock.monotonicNow()
    const started: RecognizerProcess = new RecognizerProcess({
      model,
      folder,
      clock,
      maxStreams,
      onEnd: (problem, output) => {
        this.#processes.delete(started)
        if (problem === undefined) return
        log.warn({ model: model.id, output }, `local recognizer: ${model.id}: ${problem}`)
        this.#recordEnd(model, problem, clock.monotonicNow() - startedAt)
      },
    })
    this.#processes.add(started)
    await started.loaded
  }

  #recordEnd({ id }: SpeechModel, problem: string, ranMs: number): void {
    const last = ranMs >= STABLE_MS ? undefined : this.#broken.get(id)
    const delayMs = Math.min(MAX_RESTART_MS, last ? last.delayMs * 2 : FIRST_RESTART_MS)
    this.#broken.set(id, {
      retryAt: this.#deps.clock.monotonicNow() + delayMs,
      delayMs,
      problem: `${id}: ${problem}`,
    })
  }

  /** Streams of a removed model fail; another provider takes over. */
  #endRemoved(): void {
    const installed = new Set(this.#deps.models.list().map(({ id }) => id))
    for (const process of this.#processes)
      if (!installed.has(process.model.id)) process.end('the model was removed')
    for (const id of this.#broken.keys()) if (!installed.has(id)) this.#broken.delete(id)
  }

  #modelFor(language: string): SpeechModel | undefined {
    const fits = ({ languages, detectsLanguage }: SpeechModel) =>
      language === 'auto' ? detectsLanguage : languages.includes(language)
    return this.#deps.models
      .list()
      .filter((model) => isRecognizer(model) && fits(model))
      .sort(compareModels)[0]
  }
}

function isRecognizer({ kind }: SpeechModel): boolean {
  return kind === 'streaming-recognizer' || kind === 'recognizer'
}

/** Words while they are spoken come first, then models of fewer languages, then larger ones. */
function compareModels(a: SpeechModel, b: SpeechModel): number {
  const isStreaming = ({ kind }: SpeechModel) => (kind === 'streaming-recognizer' ? 0 : 1)
  return isStreaming(a) - isStreaming(b) || a.languages.length - b.languages.length || sizeOf(b) - sizeOf(a)
}

function sizeOf({ files }: SpeechModel): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}

function megabytes(bytes: number): string {
  return (bytes / 1_024 / 1_024).toFixed(0)
}
