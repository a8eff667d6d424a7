import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { type ServerProcess, signToken } from './server-process.ts'
import { mapConcurrently } from './tasks.ts'

/** Opens glasses sockets in a child process and keeps them open, so that their pings do not delay the measuring process. */
export class IdleClient {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  static async start(): Promise<IdleClient> {
    const child = fork(import.meta.filename)
    await once(child, 'message')
    return new IdleClient(child)
  }

  /** Opens sockets to the baseline or to the cloud, each for a separate user, numbered from `first`. */
  async open(
    server: ServerProcess,
    kind: 'bare' | 'cloud',
    {
      count,
      first = 0,
      concurrency = 50,
      query = '',
    }: { count: number; first?: number; concurrency?: number; query?: string },
  ): Promise<void> {
    const targets = Array.from({ length: count }, (_, index) =>
      kind === 'bare'
        ? { url: `ws://127.0.0.1:${server.port}/?pair=idle${first + index}` }
        : {
            url: `ws://127.0.0.1:${server.port}/glasses-ws${query}`,
            headers: { authorization: `Bearer ${signToken(`idle${first + index}@bench.example`)}` },
          },
    )
    const request: OpenSockets = { targets, concurrency }
    const opened = once(this.#child, 'message')
    this.#child.send(request)
    const [{ open }] = (await opened) as [{ open: number }]
    if (open < count) throw new Error(`Only ${open} of ${count} sockets are open`)
  }

  stop(): void {
    this.#child.kill('SIGKILL')
  }
}

/** A request to open sockets, `concurrency` at a time; answered with the number of open sockets. */
interface OpenSockets {
  readonly targets: readonly { readonly url: string; readonly headers?: Record<string, string> }[]
  readonly concurrency: number
}

if (import.meta.main) {
  let open = 0
  process.on('message', async ({ targets, concurrency }: OpenSockets) => {
    await mapConcurrently(targets, concurrency, async ({ url, headers }) => {
      const ws = new WebSocket(url, { perMessageDeflate: false, ...(headers && { headers }) })
      // The first message is the acknowledgement of the server.
      await once(ws, 'message')
      open += 1
      ws.on('error', () => {})
      ws.on('close', () => {
        open -= 1
      })
    })
    process.send?.({ open })
  })
  process.send?.({ open })
}
