import type { WakeWordListener, WakeWordStream } from '../../session/index.ts'
import type { SpeechModel } from '../speech-models/index.ts'
import type { ProcessLoad } from './messages.ts'
import { MAX_WAITING_BYTES } from './messages.ts'
import { ModelProcess, type ModelProcessOptions } from './model-process.ts'
import type { FromSpotter, ToSpotter } from './spotter-messages.ts'

interface ProcessStream {
  readonly listener: WakeWordListener
  /** Audio that the process has not taken yet. */
  waitingBytes: number
}

/** A process that detects phrases with one model (`spotter-main.ts`), and its streams. */
export class SpotterProcess {
  readonly model: SpeechModel
  readonly companions: readonly SpeechModel[] = []
  readonly #process: ModelProcess<ToSpotter, FromSpotter>
  readonly #streams = new Map<number, ProcessStream>()
  #load: ProcessLoad | undefined
  #nextStream = 1

  constructor(options: ModelProcessOptions) {
    this.model = options.model
    this.#process = new ModelProcess(
      {
        name: 'spotter-main',
        receive: (message: FromSpotter) => this.#receive(message),
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
    const id = this.#nextStream
    this.#nextStream += 1
    const stream: ProcessStream = { listener, waitingBytes: 0 }
    this.#streams.set(id, stream)
    this.#process.send({ type: 'open', stream: id, phrases })
    return {
      push: (pcm) => {
        if (!this.#streams.has(id)) return
        stream.waitingBytes += pcm.byteLength
        this.#process.send({ type: 'audio', stream: id, pcm })
        if (stream.waitingBytes > MAX_WAITING_BYTES) this.#failLater(id)
      },
      pause: () => {
        if (this.#streams.has(id)) this.#process.send({ type: 'pause', stream: id })
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

  #receive(message: FromSpotter): void {
    if (message.type === 'loaded' || message.type === 'load') {
      this.#load = message
      return
    }
    const stream = this.#streams.get(message.stream)
    if (!stream) return
    if (message.type === 'opened') stream.listener.ready(message.unspelled)
    else if (message.type === 'detected') stream.listener.detected(message.phrase)
    else stream.waitingBytes -= message.bytes
  }

  #failLater(id: number): void {
    const stream = this.#streams.get(id)
    if (!stream) return
    this.#streams.delete(id)
    this.#process.send({ type: 'close', stream: id })
    const message = `local: ${this.model.id}: it does not keep up with the speech`
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
