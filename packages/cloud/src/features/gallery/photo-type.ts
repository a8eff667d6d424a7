import type { PhotoType } from '@glasses-cloud/contract'

/** Bytes by which the three types of image are told apart. */
const HEAD = 12

/**
 * Reads the beginning of a file to see what it is.
 * @returns its type, undefined if it is none of ours, and the whole file again
 */
export async function withType(
  source: AsyncIterable<Uint8Array>,
): Promise<{ readonly type: PhotoType | undefined; readonly content: AsyncIterable<Uint8Array> }> {
  const chunks = source[Symbol.asyncIterator]()
  let head: Buffer = Buffer.alloc(0)
  while (head.length < HEAD) {
    const next = await chunks.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  const content = async function* () {
    yield head
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  return { type: typeOf(head), content: content() }
}

/** The type of an image by its first bytes, whatever the upload calls it. */
function typeOf(head: Buffer): PhotoType | undefined {
  if (head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg'
  if (head.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) return 'image/png'
  const isWebp = head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP'
  return isWebp ? 'image/webp' : undefined
}
