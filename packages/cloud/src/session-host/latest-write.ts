/**
 * Returns a function that writes a value. Of values that arrive during a write only the last is written, so that a client
 * that changes its state without end cannot fill a queue.
 */
export function writeLatest<Value>(
  write: (value: Value) => Promise<void>,
  failed: (error: unknown) => void,
): (value: Value) => void {
  let waiting: { readonly value: Value } | undefined
  let isWriting = false
  return (value) => {
    waiting = { value }
    if (isWriting) return
    isWriting = true
    void (async () => {
      while (waiting !== undefined) {
        const next: Value = waiting.value
        waiting = undefined
        await write(next).catch(failed)
      }
      isWriting = false
    })()
  }
}
