import type { ChildProgram } from './child-program.ts'

const START_TIMEOUT_MS = 20_000
const POLL_INTERVAL_MS = 50

/**
 * Polls `url` until it returns a success status.
 * @throws {Error} if the program exits first, or after 20 s
 */
export async function waitUntilReady(program: ChildProgram, url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  let hasExited = false
  void program.exited.then(() => {
    hasExited = true
  })
  while (Date.now() < deadline) {
    if (hasExited) throw program.failure()
    if (await isReady(url)) return
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
  throw new Error(`${url} did not respond within ${START_TIMEOUT_MS / 1_000} seconds`)
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000) })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}
