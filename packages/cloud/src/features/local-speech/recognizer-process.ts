import type { SpeechListener, SpeechStream } from '../../session/index.ts'
import type { SpeechModel } from '../speech-models/index.ts'
import type { FromRecognizer, ProcessLoad, ToRecognizer } from './messages.ts'
import { MAX_WAITING_BYTES } from './messages.ts'
import { ModelProcess, type ModelProcessOptions } from './model-process.ts'
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
  readonly #streams = new Map<number, ProcessStream>()
  readonly #maxStreams: number
  #load: ProcessLoad | undefined
  #nextStream = 1

  constructor({ maxStreams = Number.POSITIVE_INFINITY, ...options }: RecognizerProcessOptions) {
    this.model = options.model
    this.companions = options.companions.map(({ model }) => model)
    this.#maxStreams = maxStreams
    this.#process = new ModelProcess(
      {
        name: 'recognizer-main',
        receive: (message: FromRecognizer) => this.#receive(message),
        ended: (message) => this.#failAll(message),
      },
      options,
    )
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
    const id = this.#nextStream
    this.#nextStream += 1
    const stream: ProcessStream = { listener, labels, waitingBytes: 0 }
    this.#streams.set(id, stream)
    this.#process.send({ type: 'open', stream: id, language })
    return {
      push: (pcm) => {
        if (!this.#streams.has(id)) return
        stream.waitingBytes += pcm.byteLength
        this.#process.send({ type: 'audio', stream: id, pcm })
        if (stream.waitingBytes > MAX_WAITING_BYTES)
          this.#failLater(id, 'it does not keep up with the speech')
      },
      finalize: () => {
        if (this.#streams.has(id)) this.#process.send({ type: 'finalize', stream: id })
      },
      close: () => {
        if (this.#streams.delete(id)) this.#process.send({ type: 'close', stream: id })
      },
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
    else stream.waitingBytes -= message.bytes
  }

  #failLater(id: number, what: string): void {
    const stream = this.#streams.get(id)
    if (!stream) return
    this.#streams.delete(id)
    this.#process.send({ type: 'close', stream: id })
    const message = `local: ${this.model.id}: ${what}`
    setImmediate(() => stream.listener.failed({ kind: 'retryable', message }))
  }

  #failAll(message: string): void {
    const streams = [...this.#streams.values()]
    this.#streams.clear()
    // Not during a call of a stream.
    setImmediate(() => {
      for (const { listener } of streams) listener.failed({ kind: 'retryable', message: `local: ${message}` })
    })
  }
}

interface ProcessStream {
  readonly listener: SpeechListener
  readonly labels: SpeakerLabels
  /** Audio that the process has not taken yet. */
  waitingBytes: number
}
