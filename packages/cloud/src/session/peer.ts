import {
  type AudioFormat,
  type DataStreamFields,
  encode,
  type Message,
  type OutgoingDialect,
} from '@glasses-cloud/contract'

/**
 * The remote end of a socket. Dialect, queue and heartbeat are up to the implementation. Sending to a closed peer does
 * nothing.
 */
export interface Peer {
  send(message: Message): void
  /** Sends a message that other peers receive, too, without encoding it again. */
  sendShared(message: SharedMessage): void
  /** Sends a `data_stream` frame with a payload that was encoded once for all subscribers. */
  sendStream(envelope: DataStreamFields, dataJson: string): void
  /** Sends PCM audio. It is queued for a slow reader. @returns the bytes of queued audio that were dropped to make room */
  sendAudio(frame: Uint8Array): number
  close(code: number, reason: string): void
}

/** The remote end of a glasses socket. */
export interface GlassesPeer extends Peer {
  /** The program of the phone, as its handshake names it. */
  readonly userAgent?: string | undefined
  /** Returns whether the phone responds now. */
  isAlive(): Promise<boolean>
  /** Sets the format of its binary frames; PCM until it is set. The session receives PCM in any case. */
  setAudioFormat(format: AudioFormat): void
}

/** A message for several peers. It is encoded at most once per dialect, when the first peer needs it. */
export class SharedMessage<Content extends Message = Message> {
  readonly content: Content
  readonly #encoded = new Map<OutgoingDialect, Buffer>()

  constructor(content: Content) {
    this.content = content
  }

  /** The message in a dialect, as UTF-8. */
  encode(dialect: OutgoingDialect): Buffer {
    let bytes = this.#encoded.get(dialect)
    if (!bytes) {
      bytes = Buffer.from(encode(this.content, dialect))
      this.#encoded.set(dialect, bytes)
    }
    return bytes
  }

  /** Size of the message in the dialect that was encoded first, in bytes. */
  get byteLength(): number {
    const [encoded = this.encode('flat')] = this.#encoded.values()
    return encoded.byteLength
  }
}
