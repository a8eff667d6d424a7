import { lookup } from 'node:dns/promises'
import { connect, isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/index.ts'
import type { Clock } from '../time/index.ts'
import { Connections } from './connections.ts'

/** Time for a program on this machine to accept a connection. */
const LOOPBACK_TIMEOUT_MS = 500

/**
 * Time for which a node behind a proxy keeps idle connections after it has closed its port. The proxy ends each with its
 * next request, and finds that the node is gone when it wants to open another.
 */
const PROXY_GRACE_MS = 1_000

/** Longest time for pending requests to complete when the server closes (HTTP-42). */
const MAX_DRAIN_MS = 10_000

/** A server that accepts connections. */
export interface Listening {
  /** Differs from the configured one if that is 0. */
  readonly port: number
  /**
   * Completes pending requests, then closes the remaining connections.
   * @param limitMs cuts what is pending after this time, if that is less than 10 s
   */
  drain(limitMs: number): Promise<void>
}

/**
 * Starts to listen.
 * @throws Error with a message for the operator if the port or address is not available
 */
export async function listen(
  server: FastifyInstance,
  { host, port, trustProxy }: Config['http'],
): Promise<Listening> {
  const connections = new Connections(server.server)
  const graceMs = trustProxy === false ? 0 : PROXY_GRACE_MS
  let drainMs = MAX_DRAIN_MS
  // From now on, Fastify ends each connection with its response.
  server.addHook('preClose', () => connections.drain(graceMs, drainMs))
  try {
    await server.listen({ host, port })
  } catch (cause) {
    const messages: Record<string, string> = {
      EADDRINUSE: `Port ${port} is in use; set PORT to a free one.`,
      EACCES: `This account may not use port ${port}; set PORT to a number above 1023.`,
      EADDRNOTAVAIL: `HOST ${host} is not an address of this machine; use 0.0.0.0 to listen on all addresses.`,
      ENOTFOUND: `HOST ${host} is not an address of this machine; use 0.0.0.0 to listen on all addresses.`,
    }
    const message = messages[(cause as NodeJS.ErrnoException).code ?? '']
    throw message === undefined ? cause : new Error(message, { cause })
  }
  const address = server.server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    drain: (limitMs) => {
      drainMs = Math.min(drainMs, limitMs)
      return server.close()
    },
  }
}

/** Returns a URL at which this machine reaches the server; wildcard addresses are reachable at loopback. */
export function urlOf(host: string, port: number, scheme: 'http' | 'https' = 'http'): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `${scheme}://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`
}

/** Addresses whose servers are reachable as `localhost`, with the other address of that name. */
const OTHER_LOOPBACK: Readonly<Record<string, string>> = {
  '127.0.0.1': '::1',
  '0.0.0.0': '::1',
  '::1': '127.0.0.1',
}

/**
 * Returns the URL at which this machine reaches the server. At loopback that is `localhost`, the only name for which
 * browsers have passkeys without https; unless another program has the port at the other address of this name, or the name
 * does not lead to `::1`, as on many machines.
 */
export async function localUrlOf(host: string, port: number, clock: Clock): Promise<string> {
  if (host === '::1' && !(await isLocalhost(host))) return urlOf(host, port)
  const other = OTHER_LOOPBACK[host]
  const isLocal = host === '::' || (other !== undefined && !(await isListening(other, port, clock)))
  return isLocal ? `http://localhost:${port}` : urlOf(host, port)
}

/** Returns whether programs of this machine find an address by the name `localhost`. */
async function isLocalhost(address: string): Promise<boolean> {
  const addresses = await lookup('localhost', { all: true }).catch(() => [])
  return addresses.some((found) => found.address === address)
}

/** Returns whether a program accepts connections at an address of this machine. */
async function isListening(host: string, port: number, clock: Clock): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ host, port })
  socket.once('connect', () => resolve(true))
  socket.once('error', () => resolve(false))
  // A firewall may leave the attempt without an answer.
  const timeout = clock.after(LOOPBACK_TIMEOUT_MS, () => resolve(false))
  try {
    return await promise
  } finally {
    timeout.cancel()
    socket.destroy()
  }
}
