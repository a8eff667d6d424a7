import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems assign to connections, and to servers that ask for any. */
const FIRST_PORT = 20_000
const LAST_PORT = 32_767

/** Ports that this process was given, which it may not listen on yet. */
const given = new Set<number>()

/**
 * Finds a free TCP port of the loopback address, another one each time. Another program may take it before the caller
 * listens on it, but no system assigns it.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT + 1))
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
