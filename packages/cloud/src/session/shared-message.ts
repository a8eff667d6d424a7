import { encode, type Message, type OutgoingDialect } from '@glasses-cloud/contract'

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
