import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import type { Scope } from './scope.ts'

/** A TCP proxy whose connections can be broken and slowed down. */
export class FlakyProxy {
  /** The URL that clients connect to. */
  readonly url: string
  /** The server that connections are forwarded to; clients are disconnected until it is set. */
  target: URL | undefined
  /** How many of the next connections are broken as soon as they are accepted. */
  breakNext = 0
  /** By how much each piece of data is delayed, in either direction. */
  delayMs = 0
  readonly #open: Set<Socket>

  private constructor(url: string, open: Set<Socket>) {
    this.url = url
    this.#open = open
  }

  /** Starts a proxy on a free port; the scope closes it. */
  static async open(scope: Scope): Promise<FlakyProxy> {
    const open = new Set<Socket>()
    const server = createServer((client) => {
      if (!proxy.target) return client.destroy()
      if (proxy.breakNext > 0) {
        proxy.breakNext -= 1
        return client.destroy()
      }
      const upstream = connect(Number(proxy.target.port), proxy.target.hostname)
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        open.add(from)
        const slow = new Transform({
          transform: (data, _, passed) => {
            if (proxy.delayMs === 0) passed(null, data)
            else setTimeout(passed, proxy.delayMs, null, data)
          },
        })
        from.pipe(slow).pipe(to)
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
    if (typeof address !== 'object' || address === null) throw new Error('the proxy has no address')
    const proxy = new FlakyProxy(`http://127.0.0.1:${address.port}`, open)
    scope.after(() => {
      proxy.break()
      server.close()
    })
    return proxy
  }

  /** Breaks every open connection, as a network failure does; new connections are forwarded. */
  break(): void {
    for (const socket of this.#open) socket.destroy()
  }
}
