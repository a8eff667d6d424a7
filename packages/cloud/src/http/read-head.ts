/**
 * Reads the first bytes of a source, in however many chunks they arrive, to detect what it is.
 * @param length of the first bytes; a shorter source has fewer
 * @returns the first bytes or more, and the complete content
 */
export async function readHead(
  source: AsyncIterable<Uint8Array>,
  length: number,
): Promise<{ readonly head: Buffer; readonly content: AsyncIterable<Uint8Array> }> {
  const chunks = source[Symbol.asyncIterator]()
  let head: Buffer = Buffer.alloc(0)
  while (head.length < length) {
    const next = await chunks.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  const content = async function* () {
    if (head.length > 0) yield head
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  return { head, content: content() }
}
