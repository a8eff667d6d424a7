import type { IncomingMessage, Server } from 'node:http'
import { connect, isIPv6, type Socket } from 'node:net'
import { setImmediate as afterPolling } from 'node:timers/promises'
import { Server as TlsServer } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/index.ts'

/** Time for pending requests to complete at shutdown. */
const DRAIN_TIMEOUT_MS = 10_000

/** Time for a program on this machine to accept a connection. */
const LOOPBACK_TIMEOUT_MS = 500

/** Interval between two looks for connections to close during the shutdown. */
const CLOSE_INTERVAL_MS = 50

/** Time for a client that has just connected to send its request. */
const FIRST_BYTE_MS = 500

/** A server that accepts connections. */
export interface Listening {
  /** Differs from the configured one if that is 0. */
  readonly port: number
  /** Completes pending requests, then closes the remaining connections. */
  drain(): Promise<void>
}

/**
 * Starts to listen.
 * @throws Error with a message for the operator if the port or address is not available
 */
export async function listen(server: FastifyInstance, { host, port }: Config['http']): Promise<Listening> {
  const unused = trackUnusedConnections(server.server)
  // Connections that the system has accepted, and requests that have arrived, are read first: closing would reset them.
  server.addHook('preClose', () => afterPolling())
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
    drain: () => drain(server, unused),
  }
}

/**
 * Returns the connections without a request, as browsers open them in advance. Node counts them as active, so that they
 * would delay the shutdown.
 */
function trackUnusedConnections(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>()
  const remove = ({ socket }: IncomingMessage) => void unused.delete(socket)
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', remove)
  server.on('upgrade', remove)
  return unused
}

async function drain(server: FastifyInstance, unused: ReadonlySet<Socket>): Promise<void> {
  // `close` closes connections that are idle now; connections that become idle later are closed by the interval.
  const startedAt = performance.now()
  const closeIdle = async () => {
    await afterPolling()
    server.server.closeIdleConnections()
    if (performance.now() - startedAt < FIRST_BYTE_MS) return
    // What has sent a part of a request may send the rest.
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy()
  }
  const closing = setInterval(() => void closeIdle(), CLOSE_INTERVAL_MS)
  const closeAll = setTimeout(() => server.server.closeAllConnections(), DRAIN_TIMEOUT_MS)
  try {
    await server.close()
  } finally {
    clearInterval(closing)
    clearTimeout(closeAll)
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
 * Returns the URL at which clients reach the server if no other is configured. At loopback that is `localhost`, the only
 * name for which browsers have passkeys without https; unless another program has the port at the other address of this
 * name.
 */
export async function publicUrlOf(host: string, port: number): Promise<string> {
  const other = OTHER_LOOPBACK[host]
  const isLocal = host === '::' || (other !== undefined && !(await isListening(other, port)))
  return isLocal ? `http://localhost:${port}` : urlOf(host, port)
}

/** Returns whether a program accepts connections at an address of this machine. */
async function isListening(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ host, port })
  socket.once('connect', () => resolve(true))
  socket.once('error', () => resolve(false))
  // A firewall may leave the attempt without an answer.
  socket.setTimeout(LOOPBACK_TIMEOUT_MS, () => resolve(false))
  try {
    return await promise
  } finally {
    socket.destroy()
  }
}
