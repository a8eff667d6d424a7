import type { SpeechListener, SpeechStream } from '../../session/index.ts'
import type { SpeechModel } from '../speech-models/index.ts'
import type { FromRecognizer, ProcessLoad, ToRecognizer } from './messages.ts'
import { ModelProcess, type ModelProcessOptions } from './model-process.ts'
import { ProcessStreams } from './process-streams.ts'
import type { SpeakerLabels } from './speaker-labels.ts'

export interface RecognizerProcessOptions extends ModelProcessOptions {
  /** Streams at most, however fast it is. */
  readonly maxStreams: number | undefined
}

/** A process that recognizes with one model (`recognizer-main.ts`), and its streams. */
export class RecognizerProcess {
  readonly model: SpeechModel
  readonly companions: readonly SpeechModel[]
  readonly #process: ModelProcess<ToRecognizer, FromRecognizer>
  readonly #streams: ProcessStreams<RecognizedStream>
  readonly #maxStreams: number
  #load: ProcessLoad | undefined

  constructor({ maxStreams = Number.POSITIVE_INFINITY, ...options }: RecognizerProcessOptions) {
    this.model = options.model
    this.companions = options.companions.map(({ model }) => model)
    this.#maxStreams = maxStreams
    this.#process = new ModelProcess(
      {
        name: 'recognizer-main',
        receive: (message: FromRecognizer) => this.#receive(message),
        ended: (message) => this.#streams.failAll(message),
      },
      options,
    )
    this.#streams = new ProcessStreams(this.model.id, (message) => this.#process.send(message))
  }

  /** Resolves when the model is loaded; rejects with a sentence that says why it is not. */
  get loaded(): Promise<void> {
    return this.#process.loaded
  }

  /** Places that are taken. */
  get streams(): number {
    return this.#process.reserved
  }

  /** Undefined while the model is being loaded. */
  get load(): ProcessLoad | undefined {
    return this.#load
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  /** Whether its model is loaded, and it can take another stream. */
  get hasRoom(): boolean {
    return this.#process.isReady && this.streams < Math.min(this.#maxStreams, this.#load?.capacity ?? 0)
  }

  /** Takes a place for a stream. @returns gives it up */
  reserve(): () => void {
    return this.#process.reserve()
  }

  /**
   * Opens a stream, once the model is loaded.
   * @param language code to recognize; undefined to detect it
   * @param labels names the speakers, if the process tells their voices apart
   */
  open(language: string | undefined, listener: SpeechListener, labels: SpeakerLabels): SpeechStream {
    const opened = this.#streams.add({ listener, labels })
    const { id, push, close } = opened
    this.#process.send({ type: 'open', stream: id, language })
    return {
      push,
      finalize: () => {
        if (opened.isOpen) this.#process.send({ type: 'finalize', stream: id })
      },
      close,
    }
  }

  /** Ends the process; its streams fail. @param problem why */
  end(problem: string | undefined): void {
    this.#process.end(problem)
  }

  #receive(message: FromRecognizer): void {
    if (message.type === 'loaded' || message.type === 'load') {
      this.#load = message
      return
    }
    const stream = this.#streams.get(message.stream)
    if (!stream) return
    if (message.type === 'segment') {
      const { segment, voice } = message
      const speakerId = voice && stream.labels.labelOf(voice)
      stream.listener.segment(speakerId === undefined ? segment : { ...segment, speakerId })
    } else if (message.type === 'finalized') stream.listener.finalized()
    else this.#streams.consumed(message.stream, message.bytes)
  }
}

interface RecognizedStream {
  readonly listener: SpeechListener
  readonly labels: SpeakerLabels
}
