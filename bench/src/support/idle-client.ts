import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { OpenSockets } from '../processes/idle-client.ts'
import type { ServerProcess } from './server-process.ts'
import { signToken } from './tokens.ts'

/** Opens glasses sockets in a child process and keeps them open. */
export class IdleClient {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  static async start(): Promise<IdleClient> {
    const child = fork(fileURLToPath(new URL('../processes/idle-client.ts', import.meta.url)))
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
