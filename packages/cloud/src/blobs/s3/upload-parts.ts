import { createHash } from 'node:crypto'
import { BlobTooLargeError } from '../blob-store.ts'

/** Content of a part of an upload. */
export interface UploadPart {
  readonly content: Buffer
  /** SHA-256 of the content in hex. */
  readonly sha256: string
  readonly isLast: boolean
}

/**
 * Splits a source into parts of `partBytes`, of which the last may be shorter or empty. A part is yielded once the
 * source has ended or has delivered more, so that at most one part is in memory.
 * @throws BlobTooLargeError once the source exceeds `maxBytes`
 */
export async function* splitIntoParts(
  source: AsyncIterable<Uint8Array>,
  partBytes: number,
  maxBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<UploadPart> {
  let part = new PartBuilder()
  let total = 0
  for await (const chunk of source) {
    total += chunk.byteLength
    if (total > maxBytes) throw new BlobTooLargeError(maxBytes)
    let rest = chunk
    while (part.size + rest.byteLength > partBytes) {
      const length = partBytes - part.size
      part.add(rest.subarray(0, length))
      rest = rest.subarray(length)
      yield part.build(false)
      part = new PartBuilder()
    }
    part.add(rest)
  }
  yield part.build(true)
}

/** Collects chunks; hashing them one by one keeps each step short. */
class PartBuilder {
  readonly #chunks: Uint8Array[] = []
  readonly #hash = createHash('sha256')
  size = 0

  add(chunk: Uint8Array): void {
    if (chunk.byteLength === 0) return
    this.#chunks.push(chunk)
    this.#hash.update(chunk)
    this.size += chunk.byteLength
  }

  build(isLast: boolean): UploadPart {
    return { content: Buffer.concat(this.#chunks), sha256: this.#hash.digest('hex'), isLast }
  }
}
