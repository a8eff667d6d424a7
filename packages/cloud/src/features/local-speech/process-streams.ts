import type { SpeechFailure } from '../../session/index.ts'
import { MAX_WAITING_BYTES } from './messages.ts'

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
export class ProcessStreams<Stream extends Failing> {
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
