import { once } from 'node:events'
import { type AudioFormat, toAudioConfiguration } from '@glasses-cloud/contract'
import { WebSocket } from 'ws'
import { type ServerProcess, signToken } from './server-process.ts'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

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
  return mapConcurrently(count, async (index) => ({
    app: await connect(first + index, 'app'),
    glasses: await connect(first + index, 'glasses'),
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
  const pairs = await mapConcurrently(count, async (index) => {
    const token = signToken(`user${first + index}@bench.example`)
    const post = async (path: string, body?: object) => {
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`POST ${path} returned ${response.status}: ${text}`)
    }
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
    await post('/api/client/audio/configure', toAudioConfiguration(audioFormat))
    await post('/api/apps/bench.app/start')
    const app = await connected
    await subscribe(app, glasses, streams)
    return { glasses, app }
  })
  if (!options.appServer) appServer.close()
  return pairs
}

/** Starts the server of the benchmarks' app and registers it. */
export async function startAppServer(server: ServerProcess): Promise<AppServer> {
  const appServer = new AppServer()
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

/** Creates `count` values, ten at a time, in order. */
async function mapConcurrently<Value>(
  count: number,
  create: (index: number) => Promise<Value>,
): Promise<Value[]> {
  const values: Value[] = []
  for (let index = 0; index < count; index += CONCURRENCY) {
    const size = Math.min(CONCURRENCY, count - index)
    values.push(...(await Promise.all(Array.from({ length: size }, (_, offset) => create(index + offset)))))
  }
  return values
}

/** Server of the benchmarks' app: connects to the cloud as the app SDK does when it receives a session request. */
export class AppServer {
  /** API key of the app, for its sockets. */
  apiKey = ''
  /** Where it connects; by default the URL in the session request. */
  socketUrl: string | undefined
  readonly #server: Server = createServer((request, response) => {
    if (request.method === 'GET') return void response.writeHead(404).end()
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { type, sessionId, mentraOSWebsocketUrl } = JSON.parse(body)
      if (type === 'session_request') void this.#connect(sessionId, this.socketUrl ?? mentraOSWebsocketUrl)
      response.end('{"status":"success"}')
    })
  })
  readonly #pending = new Map<string, (ws: WebSocket) => void>()

  /** @returns the URL of the server */
  async listen(): Promise<string> {
    this.#server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 })
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Resolves with the next acknowledged socket of an app session. */
  nextSocket(appSessionId: string): Promise<WebSocket> {
    return new Promise((resolve) => this.#pending.set(appSessionId, resolve))
  }

  close(): void {
    this.#server.close()
  }

  async #connect(sessionId: string, url: string): Promise<void> {
    const ws = new WebSocket(url, { perMessageDeflate: false })
    await once(ws, 'open')
    const { apiKey } = this
    ws.send(JSON.stringify({ type: 'tpa_connection_init', sessionId, packageName: 'bench.app', apiKey }))
    await once(ws, 'message')
    this.#pending.get(sessionId)?.(ws)
    this.#pending.delete(sessionId)
  }
}
