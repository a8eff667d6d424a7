import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AudioFormat, toAudioConfiguration } from '@glasses-cloud/contract'
import { WebSocket } from 'ws'
import type { ServerProcess } from './server-process.ts'

/** A user's two sockets: glasses and one running app. */
export interface Pair {
  readonly glasses: WebSocket
  readonly app: WebSocket
}

/** Connects pairs to the baseline. */
export async function barePairs(server: ServerProcess, count: number, first = 0): Promise<Pair[]> {
  const connect = async (pair: number, side: string) => {
    const ws = new WebSocket(`ws://127.0.0.1:${server.port}/?pair=${pair}&side=${side}`)
    await once(ws, 'open')
    return ws
  }
  return inTurns(count, async (pair) => ({
    app: await connect(first + pair, 'app'),
    glasses: await connect(first + pair, 'glasses'),
  }))
}

/**
 * Connects pairs to the cloud: each a user of his own, numbered from `first`, whose app listens to `streams` and whose
 * glasses send sound in the format.
 */
export async function cloudPairs(
  server: ServerProcess,
  count: number,
  streams: string[],
  first = 0,
  sound: AudioFormat = { format: 'pcm' },
): Promise<Pair[]> {
  const appServer = new AppServer()
  const appUrl = await appServer.listen()
  const { apiKey, tokens } = await server.ask<{ apiKey: string; tokens: string[] }>({
    ask: 'users',
    first,
    count,
    appUrl,
  })
  appServer.apiKey = apiKey
  const base = `127.0.0.1:${server.port}`
  const pairs = await inTurns(count, async (index) => {
    const token = tokens[index] ?? ''
    const glasses = new WebSocket(`ws://${base}/glasses-ws`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const [first] = await once(glasses, 'message')
    const { sessionId } = JSON.parse(String(first)) as { sessionId: string }
    const connected = appServer.connection(`${sessionId}-bench.app`)
    const post = async (path: string, body?: object) => {
      const answer = await fetch(`http://${base}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    }
    await post('/api/client/audio/configure', toAudioConfiguration(sound))
    await post('/api/apps/bench.app/start')
    const app = await connected
    if (streams.length > 0) {
      const ready = messageOf(glasses, 'microphone_state_change')
      app.send(JSON.stringify({ type: 'subscription_update', subscriptions: streams }))
      await ready
    }
    return { glasses, app }
  })
  appServer.close()
  return pairs
}

/** Closes both sockets of each pair. */
export function closePairs(pairs: readonly Pair[]): void {
  for (const { glasses, app } of pairs) {
    glasses.terminate()
    app.terminate()
  }
}

/** The server of the benchmarks' app: connects back as the app SDK does. */
class AppServer {
  apiKey = ''
  readonly #server: Server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { type, sessionId, mentraOSWebsocketUrl } = JSON.parse(body)
      if (type === 'session_request') void this.#connect(sessionId, mentraOSWebsocketUrl)
      response.end('{"status":"success"}')
    })
  })
  readonly #waiting = new Map<string, (ws: WebSocket) => void>()

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  connection(sessionId: string): Promise<WebSocket> {
    return new Promise((resolve) => this.#waiting.set(sessionId, resolve))
  }

  close(): void {
    this.#server.close()
  }

  async #connect(sessionId: string, url: string): Promise<void> {
    const ws = new WebSocket(url)
    await once(ws, 'open')
    const { apiKey } = this
    ws.send(JSON.stringify({ type: 'tpa_connection_init', sessionId, packageName: 'bench.app', apiKey }))
    await once(ws, 'message')
    this.#waiting.get(sessionId)?.(ws)
  }
}

/** Resolves when a message of the type comes. One listener for all: messages of one packet come in one turn. */
function messageOf(ws: WebSocket, type: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (data: unknown) => {
      if (JSON.parse(String(data)).type !== type) return
      ws.off('message', look)
      resolve()
    }
    ws.on('message', look)
  })
}

async function inTurns<Made>(count: number, make: (index: number) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = []
  for (let index = 0; index < count; index += 10) {
    const turn = Array.from({ length: Math.min(10, count - index) }, (_, offset) => make(index + offset))
    made.push(...(await Promise.all(turn)))
  }
  return made
}
