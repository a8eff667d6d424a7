/**
 * Yields from a source until the signal aborts, and then throws its reason immediately; a pipeline would wait for the
 * next chunk.
 */
export async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  signal?.throwIfAborted()
  let reject: (reason: unknown) => void = () => {}
  const abort = () => reject(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  const chunks = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      // A promise for each chunk: racing them against one for the abort would keep all chunks in memory.
      const next = await new Promise<IteratorResult<T>>((resolve, rejectNext) => {
        reject = rejectNext
        chunks.next().then(resolve, rejectNext)
      })
      if (next.done) return
      yield next.value
      signal?.throwIfAborted()
    }
  } finally {
    signal?.removeEventListener('abort', abort)
    // Not awaited: a generator returns only after its pending `next` has settled.
    chunks.return?.().catch(() => {})
  }
}
