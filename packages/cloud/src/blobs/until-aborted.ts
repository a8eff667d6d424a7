/**
 * A source that ends with the reason of a signal as soon as it aborts, even between two chunks that are long in
 * coming: a pipeline would wait for the next one.
 */
export async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  signal?.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  aborted.catch(() => {})
  const abort = () => reject(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  const chunks = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), aborted])
      if (next.done) return
      yield next.value
    }
  } finally {
    signal?.removeEventListener('abort', abort)
    // Not awaited: a generator agrees to end only once it has spoken.
    chunks.return?.().catch(() => {})
  }
}
