/**
 * Rejects if a promise is not settled in time.
 * @param failure the error message; a function is called when the time is over
 */
export async function withTimeout<Value>(
  ms: number,
  promise: Promise<Value>,
  failure: string | (() => string),
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = typeof failure === 'string' ? failure : failure()
      reject(new Error(`${message} within ${ms} ms`))
    }, ms)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}
