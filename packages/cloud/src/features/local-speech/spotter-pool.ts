import { findLanguage } from '@glasses-cloud/contract'
import type { Metrics } from '../../http/metrics.ts'
import type { WakeWordListener, WakeWordSpotter, WakeWordStream } from '../../session/index.ts'
import type { InstalledModels, SpeechModel } from '../speech-models/index.ts'
import { ModelProcesses, type ModelProcessesDeps } from './model-processes.ts'
import { SpotterProcess } from './spotter-process.ts'

export interface SpotterPoolDeps extends ModelProcessesDeps {
  /** Streams of one process at most, however fast it is. */
  readonly maxStreams?: number
}

/** The process detects phrases in as many streams as it can. */
class SpotterBusyError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SpotterBusyError'
  }
}

/** A place for a stream in a process whose model is loaded. */
interface SpotterPlace {
  readonly process: SpotterProcess
  release(): void
}

/**
 * Detects wake words on this machine, with the keyword spotter models that are installed (ADR 65). Each model in use has one process, which
 * serves all sessions.
 */
export class SpotterPool implements WakeWordSpotter {
  readonly #models: InstalledModels
  readonly #maxStreams: number
  readonly #processes: ModelProcesses<SpotterProcess>

  constructor({ maxStreams = Number.POSITIVE_INFINITY, ...deps }: SpotterPoolDeps) {
    this.#models = deps.models
    this.#maxStreams = maxStreams
    this.#processes = new ModelProcesses(deps, 'keyword spotter', (options) => new SpotterProcess(options))
  }

  supports(language: string): boolean {
    return this.#modelFor(language) !== undefined
  }

  open(
    { language, phrases }: { readonly language: string; readonly phrases: readonly string[] },
    listener: WakeWordListener,
  ): WakeWordStream {
    return new PlacedStream(this.#place(language), phrases, listener)
  }

  /** Process ids, for tests that end them. */
  pids(): number[] {
    return this.#processes.pids()
  }

  /** The streams of each process, for tests. */
  list(): { readonly model: string; readonly streams: number }[] {
    return this.#processes.all.map(({ model, reserved }) => ({ model: model.id, streams: reserved }))
  }

  /** Measures the streams of the models in use. */
  addMetrics(metrics: Pick<Metrics, 'gauge'>): void {
    metrics.gauge(
      'local_speech_wake_word_streams',
      'Streams in which wake words are detected on this machine',
      () => this.#processes.all.reduce((sum, { reserved }) => sum + reserved, 0),
    )
  }

  close(): void {
    this.#processes.close()
  }

  /** Finds a place for a stream. @throws SpotterBusyError; Error with a sentence if the model cannot be loaded */
  async #place(language: string): Promise<SpotterPlace> {
    const model = this.#modelFor(language)
    if (!model) throw new Error(`no installed model detects phrases in ${language}`)
    for (;;) {
      const [process] = this.#processes.of(model).filter(({ isReady }) => isReady)
      if (process) {
        if (process.reserved >= Math.min(this.#maxStreams, process.load?.capacity ?? 0))
          throw new SpotterBusyError(`${model.id} detects phrases in as many streams as it can in time`)
        return { process, release: process.reserve() }
      }
      await this.#processes.load(model)
    }
  }

  /** The model of a language: the one of fewest languages. */
  #modelFor(language: string): SpeechModel | undefined {
    return this.#models
      .list()
      .filter(({ kind, languages }) => kind === 'keyword-spotter' && findLanguage(language, languages))
      .sort((a, b) => a.languages.length - b.languages.length)[0]
  }
}

/** A stream that opens as soon as it has a place. */
class PlacedStream implements WakeWordStream {
  readonly #listener: WakeWordListener
  #place: SpotterPlace | undefined
  #stream: WakeWordStream | undefined
  #isClosed = false

  constructor(place: Promise<SpotterPlace>, phrases: readonly string[], listener: WakeWordListener) {
    this.#listener = listener
    place.then(
      (found) => this.#begin(found, phrases),
      (error: unknown) => this.#fail(error),
    )
  }

  push(pcm: Uint8Array): void {
    this.#stream?.push(pcm)
  }

  pause(): void {
    this.#stream?.pause()
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#stream?.close()
    this.#place?.release()
  }

  #begin(place: SpotterPlace, phrases: readonly string[]): void {
    if (this.#isClosed) return place.release()
    this.#place = place
    this.#stream = place.process.open(phrases, {
      ready: (unspelled) => this.#isClosed || this.#listener.ready(unspelled),
      detected: (phrase) => this.#isClosed || this.#listener.detected(phrase),
      failed: (failure) => {
        if (this.#isClosed) return
        this.close()
        this.#listener.failed(failure)
      },
    })
  }

  #fail(error: unknown): void {
    if (this.#isClosed) return
    this.close()
    const message = `local: ${error instanceof Error ? error.message : String(error)}`
    this.#listener.failed({ kind: error instanceof SpotterBusyError ? 'busy' : 'retryable', message })
  }
}
