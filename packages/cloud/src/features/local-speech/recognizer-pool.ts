import { availableParallelism } from 'node:os'
import { type Finding, findLanguage } from '@glasses-cloud/contract'
import type { LabeledValue, Metrics } from '../../http/metrics.ts'
import type { InstalledModels, SpeechModel } from '../speech-models/index.ts'
import { ModelProcesses, type ModelProcessesDeps } from './model-processes.ts'
import { RecognizerProcess } from './recognizer-process.ts'

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

export interface RecognizerPoolDeps extends ModelProcessesDeps {
  /** Processes of one model; default: one less than there are processors. */
  readonly maxProcesses?: number
  /** Streams of one process at most, however fast it is. */
  readonly maxStreams?: number
}

/** What runs. */
export interface RecognizerState {
  readonly model: string
  readonly streams: number
  readonly capacity: number | undefined
  readonly realTimeFactor: number | undefined
}

/** The recognizer processes of this node: one for each model in use, and more while there are more streams. */
export class RecognizerPool {
  readonly #models: InstalledModels
  readonly #maxProcesses: number
  readonly #processes: ModelProcesses<RecognizerProcess>

  constructor({ maxProcesses, maxStreams, ...deps }: RecognizerPoolDeps) {
    this.#models = deps.models
    this.#maxProcesses = maxProcesses ?? Math.max(1, availableParallelism() - 1)
    this.#processes = new ModelProcesses(
      deps,
      'local recognizer',
      (options) => new RecognizerProcess({ ...options, maxStreams }),
      (model) => this.#companionsOf(model),
    )
  }

  /** Whether a model recognizes the language. @param language a tag, or `auto` to detect it */
  supports(language: string): boolean {
    return this.#modelFor(language) !== undefined
  }

  /** Whether there is a recognizer at all. */
  get hasModels(): boolean {
    return this.#models.list().some(isRecognizer)
  }

  /** Process ids, for tests that end them. */
  pids(): number[] {
    return this.#processes.pids()
  }

  list(): RecognizerState[] {
    return this.#processes.all.map(({ model, reserved, load }) => ({
      model: model.id,
      streams: reserved,
      capacity: load?.capacity,
      realTimeFactor: load?.realTimeFactor,
    }))
  }

  /**
   * Finds a place for a stream, and starts a process if none has room.
   * @param language a tag, or `auto`
   * @throws RecognizersBusyError; Error with a sentence if the model cannot be loaded
   */
  async place(language: string): Promise<RecognizerPlace> {
    const model = this.#modelFor(language)
    if (!model) throw new Error(`no installed model recognizes ${language}`)
    for (;;) {
      const process = this.#roomiest(model)
      if (process)
        return { process, language: findLanguage(language, model.languages), release: process.reserve() }
      if (!this.#processes.isLoading(model) && this.#processes.of(model).length >= this.#maxProcesses)
        throw new RecognizersBusyError(`${model.id} recognizes as many streams as it can in time`)
      await this.#processes.load(model)
    }
  }

  /** Describes the processes of this node, for the health page. */
  describe(): Finding[] {
    return this.list().map(({ model, streams, capacity, realTimeFactor }) => ({
      level: 'ok',
      part: 'local recognizer',
      text:
        capacity === undefined || realTimeFactor === undefined
          ? `${model} is being loaded`
          : `${model}: ${streams} of ${capacity} streams in use, real-time factor ${realTimeFactor.toFixed(3)}`,
    }))
  }

  /** Measures the streams and the speed of each model in use. */
  addMetrics(metrics: Pick<Metrics, 'gauge' | 'gauges'>): void {
    metrics.gauge(
      'local_speech_processes',
      'Processes that recognize speech',
      () => this.#processes.all.length,
    )
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
    this.#processes.close()
  }

  #roomiest(model: SpeechModel): RecognizerProcess | undefined {
    return this.#processes
      .of(model)
      .filter(({ hasRoom }) => hasRoom)
      .sort((a, b) => a.reserved - b.reserved)[0]
  }

  /** What adds punctuation and speakers to the text of a model. */
  #companionsOf({ languages }: SpeechModel): SpeechModel[] {
    const models = this.#models.list()
    const punctuations = models.filter(
      (model) =>
        model.kind === 'punctuation' && model.languages.some((code) => findLanguage(code, languages)),
    )
    return [...punctuations, ...models.filter(({ kind }) => kind === 'speaker').slice(0, 1)]
  }

  #modelFor(language: string): SpeechModel | undefined {
    const fits = ({ languages, detectsLanguage }: SpeechModel) =>
      language === 'auto' ? detectsLanguage : findLanguage(language, languages) !== undefined
    return this.#models
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
