import { setTimeout as delay } from 'node:timers/promises'

/**
 * Waits until a check of something outside this process returns a result, such as a file or another process, which
 * cannot report its changes.
 * @throws Error at the deadline, with the last error of the check
 */
export async function waitFor<Result>(
  what: string,
  check: () => Promise<Result | undefined | false> | Result | undefined | false,
  timeoutMs = 45_000,
): Promise<Result> {
  const deadline = performance.now() + timeoutMs
  let lastError: unknown
  while (performance.now() < deadline) {
    try {
      const result = await check()
      if (result !== undefined && result !== false) return result
    } catch (error) {
      lastError = error
    }
    await delay(100)
  }
  throw new Error(`${what} did not happen within ${timeoutMs} ms`, { cause: lastError })
}

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
