import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Balancer, startBalancer } from '@glasses-cloud/cloud/balancer'
import { Glasses } from '@glasses-cloud/phone'
import { WebSocket } from 'ws'
import type { Benchmark } from '../benchmark.ts'
import { formatNumber } from '../figure.ts'
import { median } from '../statistics.ts'
import { NodeCluster } from '../support/node-cluster.ts'
import { signToken } from '../support/tokens.ts'

const NODES = 3
const ROUNDS = 5
const PRESS_INTERVAL_MS = 50
/** The app SDK waits this long before it reconnects. */
const APP_RECONNECT_MS = 1_000
const AIM_MS = 5_000

/** Time from `kill -9` of the node that owns a session until an app's answer to an event is displayed again. */
export const failover: Benchmark = {
  title: 'time from kill -9 of the owner until an app shows something again, at three nodes',
  async run() {
    const cluster = await NodeCluster.start(NODES)
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const balancer = await startBalancer(cluster.nodes.map(({ port }) => `http://127.0.0.1:${port}`))
      times.push(await measure(cluster, balancer, round))
      await balancer.close()
      await cluster.startNode()
    }
    await cluster.stop()
    return [
      {
        name: 'median',
        value: median(times),
        unit: 'ms',
        detail: `at most ${formatNumber(Math.max(...times))} ms of ${ROUNDS} times`,
        aim: { atMost: AIM_MS },
      },
    ]
  },
}

async function measure(cluster: NodeCluster, balancer: Balancer, round: number): Promise<number> {
  const before = await countSessions(cluster)
  const glasses = new Glasses({ url: balancer.url, token: signToken(`user${round}@bench.example`) })
  const { sessionId } = await glasses.connect()
  const app = await startApp(cluster, balancer, glasses, `${sessionId}-bench.app`)
  let presses = 0
  const timer = setInterval(() => {
    presses += 1
    if (glasses.isConnected) glasses.pressButton(`press ${presses}`)
  }, PRESS_INTERVAL_MS)
  await nextDisplay(glasses, 0)

  // Sessions of earlier rounds continue for a minute.
  const after = await countSessions(cluster)
  const owner = cluster.nodes.find((_, index) => (after[index] ?? 0) > (before[index] ?? 0))
  if (!owner) throw new Error('No node has the session')
  const killedAt = performance.now()
  const pressedBefore = presses
  await cluster.killNode(owner)
  await nextDisplay(glasses, pressedBefore)
  const tookMs = performance.now() - killedAt

  clearInterval(timer)
  app.stop()
  await glasses.disconnect()
  return tookMs
}

/** Starts an app that shows the buttons that are pressed, and reconnects when it loses its socket. */
async function startApp(
  { nodes }: NodeCluster,
  { url }: Balancer,
  glasses: Glasses,
  sessionId: string,
): Promise<{ stop(): void }> {
  let apiKey: string | undefined
  let isStopped = false
  let socket: WebSocket | undefined
  const connect = () => {
    if (isStopped) return
    const ws = new WebSocket(`${url.replace('http', 'ws')}/app-ws`)
    const send = (message: object) => ws.send(JSON.stringify({ packageName: 'bench.app', ...message }))
    socket = ws
    ws.on('error', () => {})
    ws.on('close', () => setTimeout(connect, APP_RECONNECT_MS))
    ws.on('open', () => send({ type: 'tpa_connection_init', sessionId, apiKey }))
    ws.on('message', (data) => {
      const { type, streamType, data: event } = JSON.parse(String(data))
      if (type === 'tpa_connection_ack')
        send({ type: 'subscription_update', subscriptions: ['button_press'] })
      else if (type === 'data_stream' && streamType === 'button_press')
        send({
          type: 'display_event',
          view: 'main',
          layout: { layoutType: 'text_wall', text: event.buttonId },
        })
    })
  }
  const server = createServer((_, response) => {
    if (!socket) connect()
    response.end('{"status":"success"}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const appUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  apiKey = await nodes[0]?.run<string>({ command: 'register-app', appUrl })
  await glasses.api.startApp('bench.app')
  return {
    stop() {
      isStopped = true
      socket?.terminate()
      server.close()
    },
  }
}

/** Waits until a button that was pressed after the first `presses` is displayed. */
async function nextDisplay(glasses: Glasses, presses: number): Promise<void> {
  for (;;) {
    const [{ layout }] = await once(glasses, 'displayEvent')
    const pressed = /^press (\d+)$/.exec((layout as { text?: string }).text ?? '')?.[1]
    if (pressed !== undefined && Number(pressed) > presses) return
  }
}

/** Returns the number of sessions of each node. */
function countSessions({ nodes }: NodeCluster): Promise<number[]> {
  return Promise.all(
    nodes.map(async ({ port }) => {
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      return Number(/^user_sessions{.*} (\d+)$/m.exec(metrics)?.[1] ?? 0)
    }),
  )
}
