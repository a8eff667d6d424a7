/**
 * Yields from a source until the signal aborts, and then throws its reason immediately; a pipeline would wait for the
 * next chunk.
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
    // Not awaited: a generator returns only after its pending `next` has settled.
    chunks.return?.().catch(() => {})
  }
}
