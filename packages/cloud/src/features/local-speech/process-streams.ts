import type { SpeechFailure } from '../../session/index.ts'
import { MAX_WAITING_BYTES, type ProcessLoad } from './messages.ts'
import { ModelProcess, type ModelProcessOptions } from './model-process.ts'

/** What every program that takes audio understands. */
type AudioMessage =
  /** PCM: 16 kHz, 16 bit, mono, little-endian. */
  | { readonly type: 'audio'; readonly stream: number; readonly pcm: Uint8Array }
  | { readonly type: 'close'; readonly stream: number }

interface Failing {
  readonly listener: { failed(failure: SpeechFailure): void }
}

/** A stream of a model process, as its owner uses it. */
export interface OpenStream {
  readonly id: number
  readonly isOpen: boolean
  /** Sends audio. The stream fails later if the process does not take what it got before. */
  push(pcm: Uint8Array): void
  /** Idempotent. */
  close(): void
}

/** The streams of a model process: their numbers, the audio that waits, and how they fail. */
class ProcessStreams<Stream extends Failing> {
  readonly #model: string
  readonly #send: (message: AudioMessage) => void
  readonly #streams = new Map<number, { readonly stream: Stream; waitingBytes: number }>()
  #next = 1

  /** @param model id of the model, for messages */
  constructor(model: string, send: (message: AudioMessage) => void) {
    this.#model = model
    this.#send = send
  }

  /** Adds a stream; the caller tells the process. */
  add(stream: Stream): OpenStream {
    const id = this.#next
    this.#next += 1
    const entry = { stream, waitingBytes: 0 }
    this.#streams.set(id, entry)
    const isOpen = () => this.#streams.has(id)
    return {
      id,
      get isOpen() {
        return isOpen()
      },
      push: (pcm) => {
        if (!isOpen()) return
        entry.waitingBytes += pcm.byteLength
        this.#send({ type: 'audio', stream: id, pcm })
        if (entry.waitingBytes > MAX_WAITING_BYTES) this.#failLate(id, stream)
      },
      close: () => this.#close(id),
    }
  }

  get(id: number): Stream | undefined {
    return this.#streams.get(id)?.stream
  }

  /** Records that the process has taken audio. */
  consumed(id: number, bytes: number): void {
    const entry = this.#streams.get(id)
    if (entry) entry.waitingBytes -= bytes
  }

  /** Fails all streams, but not during a call of one. @param message a sentence that says why */
  failAll(message: string): void {
    const streams = [...this.#streams.values()]
    this.#streams.clear()
    setImmediate(() => {
      for (const { stream } of streams) fail(stream, message)
    })
  }

  #close(id: number): void {
    if (this.#streams.delete(id)) this.#send({ type: 'close', stream: id })
  }

  #failLate(id: number, stream: Stream): void {
    this.#close(id)
    setImmediate(() => fail(stream, `${this.#model}: it does not keep up with the speech`))
  }
}

function fail({ listener }: Failing, message: string): void {
  listener.failed({ kind: 'retryable', message: `local: ${message}` })
}

type LoadReport = { readonly type: 'loaded' | 'load' } & ProcessLoad
/** Reports audio that the process has taken from the queue of a stream. */
type Consumed = { readonly type: 'consumed'; readonly stream: number; readonly bytes: number }

/** The messages of a process that are for one of its streams. */
export type ForStream<Received> = Exclude<Received, LoadReport | Consumed>

/** A process that works on streams of audio with one model. Reserve a place before opening a stream. */
export abstract class StreamsProcess<
  Sent extends object,
  Received extends LoadReport | Consumed | { readonly type: string; readonly stream: number },
  Stream extends Failing,
> extends ModelProcess<Sent | AudioMessage, Received> {
  protected readonly streams: ProcessStreams<Stream>
  #load: ProcessLoad | undefined

  constructor(program: string, options: ModelProcessOptions) {
    super(program, options)
    this.streams = new ProcessStreams(this.model.id, (message) => this.send(message))
  }

  /** Undefined while the model is being loaded. */
  get load(): ProcessLoad | undefined {
    return this.#load
  }

  protected abstract receiveForStream(message: ForStream<Received>, stream: Stream): void

  protected override receive(message: Received): void {
    if (isLoad(message)) {
      this.#load = message
      return
    }
    const other = message as Consumed | (ForStream<Received> & { readonly stream: number })
    const stream = this.streams.get(other.stream)
    if (!stream) return
    if (other.type === 'consumed') this.streams.consumed(other.stream, (other as Consumed).bytes)
    else this.receiveForStream(other as ForStream<Received>, stream)
  }

  protected override ended(message: string): void {
    this.streams.failAll(message)
  }
}

function isLoad(message: { readonly type: string }): message is LoadReport {
  return message.type === 'loaded' || message.type === 'load'
}
