import { createServer } from 'node:net'
import type { ChildProgram } from './child-program.ts'

/** A program that does not serve by then will not. */
const START_TIMEOUT_MS = 20_000

/** How often to look whether it does. */
const POLL_INTERVAL_MS = 50

/** A port of this machine that nobody uses. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

/** Waits until a program answers `url` with 200; throws when it ends before, or takes too long. */
export async function waitUntilReady(child: ChildProgram, url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  let ended = false
  void child.exited.then(() => {
    ended = true
  })
  while (Date.now() < deadline) {
    if (ended) throw child.failure()
    if (await isReady(url)) return
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
  throw new Error(`${url} did not answer within ${START_TIMEOUT_MS / 1_000} seconds`)
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
