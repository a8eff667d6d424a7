import { once } from 'node:events'
import { createServer } from 'node:net'

/** Finds a free TCP port of the loopback address. Another program may take it before the caller listens on it. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port was assigned')
  return address.port
}
