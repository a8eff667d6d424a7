import type { WakeWordListener, WakeWordStream } from '../../session/index.ts'
import type { SpeechModel } from '../speech-models/index.ts'
import type { FromSpotter, ProcessLoad, ToSpotter } from './messages.ts'
import { ModelProcess, type ModelProcessOptions } from './model-process.ts'
import { ProcessStreams } from './process-streams.ts'

/** A process that detects phrases with one model (`spotter-main.ts`), and its streams. */
export class SpotterProcess {
  readonly model: SpeechModel
  readonly companions: readonly SpeechModel[] = []
  readonly #process: ModelProcess<ToSpotter, FromSpotter>
  readonly #streams: ProcessStreams<{ readonly listener: WakeWordListener }>
  #load: ProcessLoad | undefined

  constructor(options: ModelProcessOptions) {
    this.model = options.model
    this.#process = new ModelProcess(
      {
        name: 'spotter-main',
        receive: (message: FromSpotter) => this.#receive(message),
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

  /** Whether its model is loaded. */
  get isReady(): boolean {
    return this.#process.isReady
  }

  /** Takes a place for a stream. @returns gives it up */
  reserve(): () => void {
    return this.#process.reserve()
  }

  /** Opens a stream, once the model is loaded. */
  open(phrases: readonly string[], listener: WakeWordListener): WakeWordStream {
    const opened = this.#streams.add({ listener })
    const { id, push, close } = opened
    this.#process.send({ type: 'open', stream: id, phrases })
    return {
      push,
      pause: () => {
        if (opened.isOpen) this.#process.send({ type: 'pause', stream: id })
      },
      close,
    }
  }

  /** Ends the process; its streams fail. @param problem why */
  end(problem: string | undefined): void {
    this.#process.end(problem)
  }

  #receive(message: FromSpotter): void {
    if (message.type === 'loaded' || message.type === 'load') {
      this.#load = message
      return
    }
    const stream = this.#streams.get(message.stream)
    if (!stream) return
    if (message.type === 'opened') stream.listener.ready(message.unspelled)
    else if (message.type === 'detected') stream.listener.detected(message.phrase)
    else this.#streams.consumed(message.stream, message.bytes)
  }
}
