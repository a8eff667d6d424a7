import { once } from 'node:events'
import { type AudioFormat, toAudioConfiguration } from '@glasses-cloud/contract'
import { WebSocket } from 'ws'
import { AppServer, type AppServerOptions } from './app-server.ts'
import { type ServerProcess, signToken } from './server-process.ts'
import { mapConcurrently } from './tasks.ts'

/** The two sockets of a user: glasses and one running app. */
export interface Pair {
  readonly glasses: WebSocket
  readonly app: WebSocket
}

const CONCURRENCY = 10
const PROBE_INTERVAL_MS = 50

/** Connects pairs to the baseline. */
export function connectBarePairs(server: ServerProcess, count: number, first = 0): Promise<Pair[]> {
  const connect = async (pair: number, side: string) => {
    const ws = new WebSocket(`ws://127.0.0.1:${server.port}/?pair=${pair}&side=${side}`)
    await once(ws, 'message')
    return ws
  }
  return mapConcurrently(numbersFrom(first, count), CONCURRENCY, async (pair) => ({
    app: await connect(pair, 'app'),
    glasses: await connect(pair, 'glasses'),
  }))
}

export interface CloudPairOptions {
  /** Subscriptions of the app. */
  readonly streams: readonly string[]
  /** Number of the first user; every pair has a separate user. */
  readonly first?: number
  /** Format of the microphone audio; PCM by default. */
  readonly audioFormat?: AudioFormat
  /** A server of the app that is registered already, so that the API key of its open sockets stays valid. */
  readonly appServer?: AppServer
  /** The node of the apps' sockets; by default the one that the session requests name. */
  readonly apps?: ServerProcess
  /** The node that the glasses move to once their session is open. */
  readonly glasses?: ServerProcess
}

/** Connects pairs to the cloud. */
export async function connectCloudPairs(
  server: ServerProcess,
  count: number,
  options: CloudPairOptions,
): Promise<Pair[]> {
  const { streams, first = 0, audioFormat = { format: 'pcm' }, apps, glasses: moved } = options
  const appServer = options.appServer ?? (await startAppServer(server))
  appServer.socketUrl = apps && `ws://127.0.0.1:${apps.port}/app-ws`
  const pairs = await mapConcurrently(numbersFrom(first, count), CONCURRENCY, async (user) => {
    const token = signToken(`user${user}@bench.example`)
    const headers = { authorization: `Bearer ${token}` }
    const open = (port: number) => new WebSocket(`ws://127.0.0.1:${port}/glasses-ws`, { headers })
    let glasses = open(server.port)
    const [ack] = await once(glasses, 'message')
    if (moved) {
      glasses = open(moved.port)
      await once(glasses, 'message')
    }
    const { sessionId } = JSON.parse(String(ack)) as { sessionId: string }
    const connected = appServer.nextSocket(`${sessionId}-bench.app`)
    await postJson(server.port, user, '/api/client/audio/configure', toAudioConfiguration(audioFormat))
    await postJson(server.port, user, '/api/apps/bench.app/start')
    const app = await connected
    await subscribe(app, glasses, streams)
    return { glasses, app }
  })
  if (!options.appServer) appServer.close()
  return pairs
}

/** Sends a request of a user. @throws Error if it fails */
export async function postJson(port: number, user: number, path: string, body?: object): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${signToken(`user${user}@bench.example`)}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`POST ${path} returned ${response.status}: ${text}`)
}

const numbersFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => first + index)

/** Starts the server of the benchmarks' app and registers it. */
export async function startAppServer(server: ServerProcess, options?: AppServerOptions): Promise<AppServer> {
  const appServer = new AppServer(options)
  appServer.apiKey = await server.run<string>({ command: 'register-app', appUrl: await appServer.listen() })
  return appServer
}

/** Terminates both sockets of each pair. */
export function closePairs(pairs: readonly Pair[]): void {
  for (const { glasses, app } of pairs) {
    glasses.terminate()
    app.terminate()
  }
}

/** Subscribes the app; resolves when the subscription is in effect. */
async function subscribe(app: WebSocket, glasses: WebSocket, streams: readonly string[]): Promise<void> {
  if (streams.length === 0) return
  app.send(JSON.stringify({ type: 'subscription_update', subscriptions: streams }))
  if (streams.includes('button_press')) return probe(glasses, app)
  return messageOfType(glasses, 'microphone_state_change')
}

/** Presses a button until the app receives a press. */
async function probe(glasses: WebSocket, app: WebSocket): Promise<void> {
  const press = () =>
    glasses.send(JSON.stringify({ type: 'button_press', buttonId: 'probe', pressType: 'short' }))
  const timer = setInterval(press, PROBE_INTERVAL_MS)
  await messageOfType(app, 'data_stream', 'button_press')
  clearInterval(timer)
}

/** Resolves when a message of one of the types is received. */
function messageOfType(ws: WebSocket, ...types: string[]): Promise<void> {
  return new Promise((resolve) => {
    const check = (data: unknown) => {
      if (!types.includes(JSON.parse(String(data)).type)) return
      ws.off('message', check)
      resolve()
    }
    ws.on('message', check)
  })
}
