import { isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/index.ts'

/** How long requests under way may take to end while the cloud closes, in ms. */
const DRAIN_TIMEOUT_MS = 10_000

/**
 * Begins to take requests.
 * @returns the port it got, which is another one than asked for if that was 0
 * @throws Error with a sentence for the operator: port taken or forbidden, no such address
 */
export async function listen(server: FastifyInstance, { host, port }: Config['http']): Promise<number> {
  try {
    await server.listen({ host, port })
  } catch (cause) {
    const reason: Record<string, string> = {
      EADDRINUSE: `Port ${port} is in use; set PORT to a free one.`,
      EACCES: `Port ${port} may not be used by this account; set PORT to one above 1023.`,
      EADDRNOTAVAIL: `HOST ${host} is no address of this machine; 0.0.0.0 listens on all of them.`,
      ENOTFOUND: `HOST ${host} is no address of this machine; 0.0.0.0 listens on all of them.`,
    }
    const sentence = reason[(cause as NodeJS.ErrnoException).code ?? '']
    throw sentence === undefined ? cause : new Error(sentence, { cause })
  }
  const address = server.server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

/** Lets requests under way end, then cuts whatever still holds on. */
export async function drain(server: FastifyInstance): Promise<void> {
  // Node closes the connections that are idle now; one that becomes idle with its answer would be kept for the next.
  const sweep = setInterval(() => server.server.closeIdleConnections(), 50)
  const late = setTimeout(() => server.server.closeAllConnections(), DRAIN_TIMEOUT_MS)
  try {
    await server.close()
  } finally {
    clearInterval(sweep)
    clearTimeout(late)
  }
}

/** An address at which this machine reaches the server: a wildcard is reached at loopback. */
export function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`
}
