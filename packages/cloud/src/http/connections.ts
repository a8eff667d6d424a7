import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as afterPolling, setTimeout as delay } from 'node:timers/promises'
import { Server as TlsServer } from 'node:tls'

/** Interval between two looks for connections to close. */
const LOOK_INTERVAL_MS = 50

/** Time for a client that has just connected to send its request. */
const FIRST_BYTE_MS = 500

/** A turn of the event loop that takes no longer has served little, so that a connection can hardly have arrived in it. */
const QUIET_TURN_MS = 0.2

/** Longest time to wait for a quiet turn. */
const QUIET_TIMEOUT_MS = 500

/** How a connection is used. */
interface Use {
  /** Requests whose responses have not been sent. */
  requests: number
  /** Bytes that had been read when the last response was sent: further ones are a part of the next request. */
  bytesRead: number
}

/**
 * The connections of a server without its sockets. Node's own list does not tell a connection that is at rest from one
 * whose response waits in memory for a slow client: `closeIdleConnections` closes both.
 */
export class Connections {
  readonly #server: Server
  readonly #uses = new Map<Socket, Use>()
  #accepted = 0

  /** Follows the connections of a server that does not listen yet. */
  constructor(server: Server) {
    this.#server = server
    server.on('connection', () => {
      this.#accepted += 1
    })
    server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#uses.set(socket, { requests: 0, bytesRead: 0 })
      socket.once('close', () => this.#uses.delete(socket))
    })
    const uses = this.#uses
    function onResponseClosed(this: ServerResponse): void {
      const { socket } = this.req
      const use = uses.get(socket)
      if (use === undefined) return
      use.requests -= 1
      use.bytesRead = socket.bytesRead
    }
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      const use = uses.get(socket)
      if (use === undefined) return
      use.requests += 1
      response.on('close', onResponseClosed)
    })
    server.on('upgrade', ({ socket }: IncomingMessage) => void uses.delete(socket))
  }

  /**
   * Closes the port, completes pending requests, and closes the connections.
   * @param graceMs time for a proxy to use the connections that it keeps, before they are closed
   * @param limitMs time for pending requests to complete; those that have not are cut
   */
  async drain(graceMs: number, limitMs: number): Promise<void> {
    await this.#closePort()
    const closedAt = performance.now()
    for (;;) {
      const elapsedMs = performance.now() - closedAt
      // What has arrived is read first: closing would reset it.
      await afterPolling()
      if (elapsedMs >= limitMs) this.#server.closeAllConnections()
      else if (elapsedMs >= graceMs) this.#closeResting(elapsedMs >= FIRST_BYTE_MS)
      // A closed connection is known as such one turn later.
      await afterPolling()
      if (this.#uses.size === 0) return
      await delay(LOOK_INTERVAL_MS)
    }
  }

  /**
   * Closes the port after a quiet turn of the event loop without a connection: the system resets those that it has accepted
   * and Node, which takes one at the beginning of each turn, has not.
   */
  async #closePort(): Promise<void> {
    const startedAt = performance.now()
    // From here on, there is a poll before each of these.
    await afterPolling()
    let isQuiet: boolean
    do {
      const before = this.#accepted
      const turnedAt = performance.now()
      await afterPolling()
      isQuiet = this.#accepted === before && performance.now() - turnedAt < QUIET_TURN_MS
    } while (!isQuiet && performance.now() - startedAt < QUIET_TIMEOUT_MS)
    // That of `http` would close connections as well.
    NetServer.prototype.close.call(this.#server)
  }

  #closeResting(withUnused: boolean): void {
    for (const [socket, { requests, bytesRead }] of this.#uses)
      if (requests === 0 && socket.bytesRead === bytesRead && (bytesRead > 0 || withUnused)) socket.destroy()
  }
}
