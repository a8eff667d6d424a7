import type { PhotoType } from '@glasses-cloud/contract'

/** Number of bytes that identify the image type. */
const SIGNATURE_BYTES = 12

/**
 * Detects the type of an image from its first bytes.
 * @returns the type, undefined if it is not supported, and the complete content
 */
export async function detectPhotoType(
  source: AsyncIterable<Uint8Array>,
): Promise<{ readonly type: PhotoType | undefined; readonly content: AsyncIterable<Uint8Array> }> {
  const chunks = source[Symbol.asyncIterator]()
  let head: Buffer = Buffer.alloc(0)
  while (head.length < SIGNATURE_BYTES) {
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

/** Returns the image type by the first bytes; the type that the upload declares is ignored. */
function typeOf(head: Buffer): PhotoType | undefined {
  if (head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg'
  if (head.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) return 'image/png'
  const isWebp = head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP'
  return isWebp ? 'image/webp' : undefined
}
