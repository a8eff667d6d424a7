import { EventEmitter, once } from 'node:events'
import { type Dialect, encode, type Message } from '@glasses-cloud/contract'
import { WebSocket } from 'ws'
import { MemoryStreamingProvider } from '../../src/features/streams/memory-provider.ts'
import { systemClock } from '../../src/session/index.ts'
import { startAppServer } from './app-server.ts'
import { type LocalCloud, type Scope, startCloud, withTimeout } from './test-cloud.ts'

/** The app that the examples speak of. It is the system dashboard, so that nothing is refused to it. */
export const tablePackage = 'dev.example.table'
/** An app that has declared nothing. */
export const narrowPackage = 'dev.example.narrow'

/** How long anything on a socket may take, in ms. */
const deadlineMs = 10_000

/** One end of a socket that speaks one dialect from its first message on, and keeps what it hears. */
export class SocketClient {
  readonly dialect: Dialect
  /** An app's, or else glasses'. */
  readonly isApp: boolean
  /** What was heard, by the fields of each, whatever the form. */
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
      else this.received.push(fieldsOf(JSON.parse(data.toString()), dialect))
      this.#arrivals.emit('frame')
    })
    socket.on('close', () => this.#arrivals.emit('frame'))
  }

  static async open(scope: Scope, url: string, dialect: Dialect, first: Message): Promise<SocketClient> {
    const socket = new WebSocket(url)
    scope.after(() => socket.terminate())
    const speaker = new SocketClient(socket, dialect)
    await once(socket, 'open', { signal: AbortSignal.timeout(deadlineMs) })
    speaker.send(first)
    return speaker
  }

  send(message: Message): void {
    this.socket.send(encode(message, this.dialect))
  }

  /** Resolves with a message that fits, one that came already included. */
  async waitForMessage(type: string, fits: (message: Message) => boolean = () => true): Promise<Message> {
    const find = () => this.received.find((message) => message.type === type && fits(message))
    await this.waitUntil(() => find() !== undefined, type)
    return find() as Message
  }

  /** Resolves when something is so. */
  async waitUntil(isSo: () => boolean, what: string): Promise<void> {
    const wait = async () => {
      while (!isSo()) {
        if (this.socket.readyState !== WebSocket.OPEN) throw new Error(`the socket closed before ${what}`)
        await once(this.#arrivals, 'frame')
      }
    }
    await withTimeout(deadlineMs, wait(), `no ${what} came`)
  }
}

/** In the envelope dialect everything but the type is in `data`. */
function fieldsOf(frame: Message, dialect: Dialect): Message {
  return dialect === 'flat' ? frame : { ...(frame.data as object), type: frame.type }
}

/** A cloud on which nothing has to be waited for, and the apps of the examples. */
export interface MessageRig {
  readonly cloud: LocalCloud
  /** Glasses of a wearer, acknowledged. */
  wear(scope: Scope, email: string, dialect: Dialect): Promise<SocketClient>
  /** An app of a wearer whose glasses are on, acknowledged. */
  run(
    scope: Scope,
    glasses: SocketClient,
    email: string,
    dialect: Dialect,
    packageName?: string,
  ): Promise<SocketClient>
}

/** Starts the cloud and registers the apps; their servers answer, and leave connecting to the test. */
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
    server.behaviour = 'never-connect'
    const settings = [{ type: 'toggle', key: 'bold', label: 'Bold', defaultValue: false }]
    const manifest = { packageName, publicUrl: server.url, permissions: [...permissions], settings }
    keys.set(packageName, (await cloud.registerApp({ ...manifest, appType: 'BACKGROUND' })).apiKey)
  }
  return {
    cloud,
    async wear(t, email, dialect) {
      const url = `${cloud.wsUrl}/glasses-ws?token=${await cloud.token(email)}`
      const glasses = await SocketClient.open(t, url, dialect, { type: 'connection_init' })
      // The second one answers the first word, and is in its form.
      await glasses.waitUntil(
        () => glasses.received.filter(({ userId }) => userId === email).length > 1,
        'connection_ack',
      )
      return glasses
    },
    async run(t, glasses, email, dialect, packageName = tablePackage) {
      const begun = glasses.received.length
      glasses.send({ type: 'start_app', packageName })
      await glasses.waitUntil(
        () => glasses.received.slice(begun).some(({ type }) => type === 'app_state_change'),
        'app_state_change',
      )
      const introduction = {
        type: 'tpa_connection_init',
        packageName,
        apiKey: keys.get(packageName),
        sessionId: `${email}-${packageName}`,
      }
      const app = await SocketClient.open(t, `${cloud.wsUrl}/app-ws`, dialect, introduction)
      await app.waitForMessage('tpa_connection_ack')
      return app
    },
  }
}
