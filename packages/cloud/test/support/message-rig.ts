import { EventEmitter, once } from 'node:events'
import { type Dialect, encode, type Message } from '@glasses-cloud/contract'
import { WebSocket } from 'ws'
import { MemoryStreamingProvider } from '../../src/features/video/memory-provider.ts'
import { systemClock } from '../../src/time/index.ts'
import { startAppServer } from './app-server.ts'
import type { Scope } from './scope.ts'
import { type LocalCloud, startCloud } from './test-cloud.ts'
import { withTimeout } from './wait-for.ts'

/** The app that the message examples name. It is the system dashboard, so that no message is rejected for permissions. */
export const tablePackage = 'dev.example.table'
/** An app without permissions, on `MiniAppServer` of SDK 3. */
export const narrowPackage = 'dev.example.narrow'

/** The timeout for anything on a socket. */
const TIMEOUT_MS = 20_000

/** A socket client that uses one dialect and records the messages it receives. */
export class SocketClient {
  readonly dialect: Dialect
  /** Whether it is the socket of an app or of glasses. */
  readonly isApp: boolean
  /** The received messages in flat form, whatever the dialect. */
  readonly received: Message[] = []
  readonly audio: Buffer[] = []
  readonly socket: WebSocket
  readonly #arrivals = new EventEmitter().setMaxListeners(0)

  private constructor(socket: WebSocket, dialect: Dialect) {
    this.socket = socket
    this.dialect = dialect
    this.isApp = new URL(socket.url).pathname === '/app-ws'
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) this.audio.push(data)
      else this.received.push(flatten(JSON.parse(data.toString()), dialect))
      this.#arrivals.emit('frame')
    })
    socket.on('close', () => this.#arrivals.emit('frame'))
  }

  static async open(
    scope: Scope,
    url: string,
    dialect: Dialect,
    first: Message,
    headers: Record<string, string> = {},
  ): Promise<SocketClient> {
    const socket = new WebSocket(url, { headers })
    scope.after(() => socket.terminate())
    const client = new SocketClient(socket, dialect)
    await once(socket, 'open', { signal: AbortSignal.timeout(TIMEOUT_MS) })
    client.send(first)
    return client
  }

  send(message: Message): void {
    this.socket.send(encode(message, this.dialect))
  }

  /** Waits for a matching message, including those already received. */
  async waitForMessage(type: string, fits: (message: Message) => boolean = () => true): Promise<Message> {
    const find = () => this.received.find((message) => message.type === type && fits(message))
    await this.waitUntil(() => find() !== undefined, type)
    return find() as Message
  }

  /** Waits until a condition is true, evaluated after each frame. */
  async waitUntil(condition: () => boolean, what: string): Promise<void> {
    const wait = async () => {
      while (!condition()) {
        if (this.socket.readyState !== WebSocket.OPEN) throw new Error(`the socket closed before ${what}`)
        await once(this.#arrivals, 'frame')
      }
    }
    await withTimeout(TIMEOUT_MS, wait(), `no ${what} was received`)
  }
}

/** Converts a frame to flat form: in the envelope dialect all fields but the type are in `data`. */
function flatten(frame: Message, dialect: Dialect): Message {
  return dialect === 'flat' ? frame : { ...(frame.data as object), type: frame.type }
}

/** A cloud with short timers, and the apps of the message examples. */
export interface MessageRig {
  readonly cloud: LocalCloud
  /** Connects glasses and waits for the acknowledgement. */
  connectGlasses(scope: Scope, email: string, dialect: Dialect): Promise<SocketClient>
  /** Starts an app for a user with connected glasses, connects its socket and waits for the acknowledgement. */
  startApp(
    scope: Scope,
    glasses: SocketClient,
    email: string,
    dialect: Dialect,
    packageName?: string,
  ): Promise<SocketClient>
  /** Opens an app socket that claims to replace a lost one. */
  reconnectApp(scope: Scope, email: string, dialect: Dialect, packageName: string): Promise<SocketClient>
}

/** Starts the cloud and registers the apps; their servers respond to webhooks without connecting. */
export async function createMessageRig(scope: Scope): Promise<MessageRig> {
  const cloud = await startCloud(scope, {
    env: { SYSTEM_DASHBOARD_PACKAGE_NAME: tablePackage, LOG_LEVEL: 'error' },
    overrides: {
      streaming: new MemoryStreamingProvider(systemClock, 1),
      timing: {
        bootScreenMs: 1,
        displayIntervalMs: 1,
        playbackPollIntervalMs: 10,
        streamKeepAliveIntervalMs: 20,
      },
      limits: { messagesPerSecond: 1_000_000 },
    },
  })
  const keys = new Map<string, string>()
  for (const [packageName, permissions] of [
    [tablePackage, [{ type: 'ALL' }]],
    [narrowPackage, []],
  ] as const) {
    const server = await startAppServer(scope, packageName)
    server.behavior = 'never-connect'
    const settings = [{ type: 'toggle', key: 'bold', label: 'Bold', defaultValue: false }]
    const manifest = { packageName, publicUrl: server.url, permissions: [...permissions], settings }
    keys.set(packageName, (await cloud.registerApp({ ...manifest, appType: 'BACKGROUND' })).apiKey)
  }
  return {
    cloud,
    async connectGlasses(t, email, dialect) {
      const url = `${cloud.wsUrl}/glasses-ws?token=${await cloud.token(email)}`
      const glasses = await SocketClient.open(t, url, dialect, { type: 'connection_init' })
      // The second acknowledgement answers `connection_init` in its dialect.
      await glasses.waitUntil(
        () => glasses.received.filter(({ userId }) => userId === email).length > 1,
        'connection_ack',
      )
      return glasses
    },
    async startApp(t, glasses, email, dialect, packageName = tablePackage) {
      // The dashboard is started with the session.
      if (packageName !== tablePackage) {
        const firstIndex = glasses.received.length
        glasses.send({ type: 'start_app', packageName })
        await glasses.waitUntil(
          () => glasses.received.slice(firstIndex).some(({ type }) => type === 'app_state_change'),
          'app_state_change',
        )
      }
      const init = {
        type: 'tpa_connection_init',
        packageName,
        apiKey: keys.get(packageName),
        sessionId: `${email}-${packageName}`,
        ...(packageName === narrowPackage ? { sdkVersion: '3.0.0-alpha.4' } : {}),
      }
      const app = await SocketClient.open(t, `${cloud.wsUrl}/app-ws`, dialect, init)
      await app.waitForMessage('tpa_connection_ack')
      return app
    },
    reconnectApp: (t, email, dialect, packageName) =>
      SocketClient.open(
        t,
        `${cloud.wsUrl}/app-ws`,
        dialect,
        { type: 'reconnect', sessionId: `${email}-${packageName}` },
        { 'x-package-name': packageName, 'x-api-key': keys.get(packageName) ?? '' },
      ),
  }
}
