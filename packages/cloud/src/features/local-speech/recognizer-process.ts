import type { SpeechListener, SpeechStream } from '../../session/index.ts'
import type { FromRecognizer, ToRecognizer } from './messages.ts'
import type { ModelProcessOptions } from './model-process.ts'
import { type ForStream, StreamsProcess } from './process-streams.ts'
import type { SpeakerLabels } from './speaker-labels.ts'

export interface RecognizerProcessOptions extends ModelProcessOptions {
  /** Streams at most, however fast it is. */
  readonly maxStreams: number | undefined
}

/** A process that recognizes with one model (`recognizer-main.ts`), and its streams. */
export class RecognizerProcess extends StreamsProcess<ToRecognizer, FromRecognizer, RecognizedStream> {
  readonly #maxStreams: number

  constructor({ maxStreams = Number.POSITIVE_INFINITY, ...options }: RecognizerProcessOptions) {
    super('recognizer-main', options)
    this.#maxStreams = maxStreams
  }

  /** Whether its model is loaded, and it can take another stream. */
  get hasRoom(): boolean {
    return this.isReady && this.reserved < Math.min(this.#maxStreams, this.load?.capacity ?? 0)
  }

  /**
   * Opens a stream, once the model is loaded.
   * @param language code to recognize; undefined to detect it
   * @param labels names the speakers, if the process tells their voices apart
   */
  open(language: string | undefined, listener: SpeechListener, labels: SpeakerLabels): SpeechStream {
    const opened = this.streams.add({ listener, labels })
    const { id, push, close } = opened
    this.send({ type: 'open', stream: id, language })
    return {
      push,
      finalize: () => {
        if (opened.isOpen) this.send({ type: 'finalize', stream: id })
      },
      close,
    }
  }

  protected override receiveForStream(message: ForStream<FromRecognizer>, stream: RecognizedStream): void {
    if (message.type === 'segment') {
      const { segment, voice } = message
      const speakerId = voice && stream.labels.labelOf(voice)
      stream.listener.segment(speakerId === undefined ? segment : { ...segment, speakerId })
    } else stream.listener.finalized()
  }
}

interface RecognizedStream {
  readonly listener: SpeechListener
  readonly labels: SpeakerLabels
}
