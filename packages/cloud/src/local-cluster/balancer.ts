import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Interval between checks of a node's readiness. */
const CHECK_INTERVAL_MS = 200
const CHECK_TIMEOUT_MS = 500

/** Failed checks in a row after which a node counts as frozen. */
const MAX_FAILED_CHECKS = 3

/** A balancer in front of the nodes of one machine. */
export interface Balancer {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** A node behind the balancer. */
interface Upstream {
  readonly url: URL
  isReady: boolean
  /** Connections on which the node has not sent anything yet. */
  readonly silent: Set<Socket>
}

/**
 * Starts a small TCP balancer for trying out and for tests: each connection goes to the next node that is ready. In
 * production, use one of those in docs/scaling.md.
 * @param urls base URLs of the nodes
 * @param port 0 selects a free port
 */
export async function startBalancer(urls: readonly string[], port = 0): Promise<Balancer> {
  const upstreams: Upstream[] = urls.map((url) => ({
    url: new URL(url),
    isReady: false,
    silent: new Set(),
  }))
  const connections = new Set<Socket>()
  let turn = 0
  const server = createServer((client) => {
    connections.add(client)
    client.on('error', () => {})
    client.on('close', () => connections.delete(client))
    turn += 1
    // Those that are not ready are the last resort: all of them may only have answered late, on a busy machine.
    forward(client, [
      ...rotate(
        upstreams.filter(({ isReady }) => isReady),
        turn,
      ),
      ...rotate(
        upstreams.filter(({ isReady }) => !isReady),
        turn,
      ),
    ])
  })
  const checks = upstreams.map((upstream) => watch(upstream))
  await Promise.all(checks.map(({ first }) => first))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the balancer has no address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    async close() {
      for (const { stop } of checks) stop()
      for (const connection of connections) connection.destroy()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

/** Moves the first `by` values to the end, or that many modulo their number. */
function rotate<Value>(values: readonly Value[], by: number): Value[] {
  const start = values.length === 0 ? 0 : by % values.length
  return [...values.slice(start), ...values.slice(0, start)]
}

/** Connects a client to the first node that accepts the connection. */
function forward(client: Socket, [first, ...others]: readonly Upstream[]): void {
  if (!first) return void client.destroy()
  const node = connect(Number(first.url.port), first.url.hostname)
  node.setNoDelay(true)
  client.setNoDelay(true)
  const fail = () => {
    first.isReady = false
    forward(client, others)
  }
  node.once('error', fail)
  node.once('connect', () => {
    node.off('error', fail)
    first.silent.add(node)
    node.once('data', () => first.silent.delete(node))
    node.once('close', () => first.silent.delete(node))
    node.on('error', () => client.destroy())
    node.on('close', () => client.destroy())
    client.on('close', () => node.destroy())
    client.pipe(node)
    node.pipe(client)
  })
}

/** Checks `/readyz` of a node repeatedly. */
function watch(upstream: Upstream) {
  let timer: NodeJS.Timeout | undefined
  let failedChecks = 0
  let isStopped = false
  const check = async () => {
    try {
      const response = await fetch(new URL('/readyz', upstream.url), {
        signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
        headers: { connection: 'close' },
      })
      await response.arrayBuffer()
      upstream.isReady = response.ok
      failedChecks = 0
    } catch {
      upstream.isReady = false
      failedChecks += 1
      // A frozen node accepts connections, but does not answer. A busy one answers late.
      if (failedChecks >= MAX_FAILED_CHECKS) for (const node of upstream.silent) node.destroy()
    }
    if (!isStopped) timer = setTimeout(check, CHECK_INTERVAL_MS)
  }
  return {
    first: check(),
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
