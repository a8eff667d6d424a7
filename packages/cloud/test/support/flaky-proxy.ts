import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Scope } from './test-cloud.ts'

/** A way to a server that passes everything on, and can be broken. */
export class FlakyProxy {
  /** Where it begins. */
  readonly url: string
  /** Where it leads; nobody gets through before it is set. */
  target: URL | undefined
  readonly #open: Set<Socket>

  private constructor(url: string, open: Set<Socket>) {
    this.url = url
    this.#open = open
  }

  /** Opens a way on a port of its own. It ends with the scope. */
  static async open(scope: Scope): Promise<FlakyProxy> {
    const open = new Set<Socket>()
    const server = createServer((client) => {
      if (!way.target) return client.destroy()
      const onwards = connect(Number(way.target.port), way.target.hostname)
      for (const [from, to] of [
        [client, onwards],
        [onwards, client],
      ] as const) {
        open.add(from)
        from.pipe(to)
        from.on('error', () => to.destroy())
        from.on('close', () => {
          open.delete(from)
          to.destroy()
        })
      }
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (typeof address !== 'object' || address === null) throw new Error('the way has no address')
    const way = new FlakyProxy(`http://127.0.0.1:${address.port}`, open)
    scope.after(() => {
      way.break()
      server.close()
    })
    return way
  }

  /** Breaks every connection there is, as a network does; new ones get through. */
  break(): void {
    for (const socket of this.#open) socket.destroy()
  }
}
