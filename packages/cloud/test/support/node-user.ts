import { Glasses, type GlassesOptions } from '@glasses-cloud/phone'
import { WebSocket } from 'ws'
import type { Frame } from '../../src/sockets/testing/socket-client.ts'
import { type AppServer, startAppServer } from './app-server.ts'
import type { Scope } from './scope.ts'
import type { TestCloud } from './test-cloud.ts'
import { waitFor } from './wait-for.ts'

const RECONNECT_MS = 100
const ACK = { timeoutMs: 30_000 }
let users = 0
let actions = 0

/** Where the sockets of a user are opened: base URLs, tried in turn. */
export interface NodeUserPlace {
  readonly glasses: string
  readonly app: readonly string[]
}

/** An app that subscribes to button presses on one socket, and reconnects when it is lost. */
class NodeApp {
  readonly frames: Frame[] = []
  /** The codes with which its sockets were closed. */
  readonly closeCodes: number[] = []
  acknowledgements = 0
  /** The current socket. */
  socket: WebSocket
  readonly #urls: readonly string[]
  readonly #init: Frame
  #attempts = 0
  #isEnded = false

  constructor(urls: readonly string[], init: Frame) {
    this.#urls = urls
    this.#init = init
    this.socket = this.#connect()
  }

  send(message: Frame): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message))
  }

  end(): void {
    this.#isEnded = true
    this.socket.terminate()
  }

  /** Leaves the socket open and continues on a new one, as an app does whose connection is broken. */
  abandonSocket(): WebSocket {
    const abandoned = this.socket
    abandoned.removeAllListeners('close')
    this.socket = this.#connect()
    return abandoned
  }

  #connect(): WebSocket {
    const url = this.#urls[this.#attempts % this.#urls.length] ?? ''
    this.#attempts += 1
    const socket = new WebSocket(`${url.replace('http', 'ws')}/app-ws`)
    socket.on('open', () => socket.send(JSON.stringify(this.#init)))
    socket.on('error', () => {})
    socket.on('message', (data, isBinary) => {
      if (isBinary || socket !== this.socket) return
      const frame = JSON.parse(String(data)) as Frame
      this.frames.push(frame)
      if (frame.type !== 'tpa_connection_ack') return
      this.acknowledgements += 1
      this.send({ type: 'subscription_update', subscriptions: ['button_press'] })
    })
    socket.on('close', (code) => {
      this.closeCodes.push(code)
      if (!this.#isEnded) setTimeout(() => (this.socket = this.#connect()), RECONNECT_MS)
    })
    return socket
  }
}

/** A user with glasses and a running app whose sockets are on chosen nodes; both reconnect when they are lost. */
export class NodeUser {
  readonly email: string
  readonly token: string
  readonly packageName: string
  glasses: Glasses
  readonly app: NodeApp
  readonly server: AppServer

  private constructor(
    from: Pick<NodeUser, 'email' | 'token' | 'packageName' | 'glasses' | 'app' | 'server'>,
  ) {
    this.email = from.email
    this.token = from.token
    this.packageName = from.packageName
    this.glasses = from.glasses
    this.app = from.app
    this.server = from.server
  }

  /** Connects glasses, whose node becomes the owner of the session, and then the app. */
  static async connect(
    scope: Scope,
    cloud: TestCloud,
    { glasses: url, app: appUrls }: NodeUserPlace,
    options: Partial<GlassesOptions> = {},
  ): Promise<NodeUser> {
    users += 1
    const packageName = `dev.example.faulty-${users}`
    const email = `faulty-${users}@example.com`
    const server = await startAppServer(scope, packageName)
    server.behavior = 'never-connect'
    const { apiKey } = await cloud.registerApp({ packageName, publicUrl: server.url })
    const token = await cloud.token(email)
    const glasses = new Glasses({ url, token, reconnect: { maxMs: 500 }, ...options })
    scope.after(() => glasses.disconnect())
    await glasses.connect(ACK)
    const started = glasses.api.startApp(packageName)
    const { sessionId } = await server.called('session_request')
    const app = new NodeApp(appUrls, { type: 'tpa_connection_init', packageName, apiKey, sessionId })
    scope.after(() => app.end())
    await started
    const user = new NodeUser({ email, token, packageName, glasses, app, server })
    await user.works()
    return user
  }

  /** Continues with other glasses at a node; those before stay connected, unless the cloud closes them. */
  async moveGlasses(scope: Scope, url: string): Promise<void> {
    this.glasses = new Glasses({ url, token: this.token, reconnect: { maxMs: 500 } })
    const { glasses } = this
    scope.after(() => glasses.disconnect())
    await glasses.connect(ACK)
  }

  /** How often the cloud started the app. */
  get starts(): number {
    return this.server.calls.filter(({ type }) => type === 'session_request').length
  }

  /** Waits until a button press reaches the app, and a text of the app the glasses; both are repeated until then. */
  async works(): Promise<void> {
    actions += 1
    const label = `action ${actions}`
    await waitFor(`${label} of the app`, () => {
      this.press(label)
      return this.pressed(label) > 0
    })
    await waitFor(`${label} on the glasses`, () => {
      this.show(label)
      return this.shown(label) > 0
    })
  }

  press(buttonId: string): void {
    this.glasses.pressButton(buttonId)
  }

  /** How often the app received a press of a button. */
  pressed(buttonId: string): number {
    return this.app.frames.filter(
      ({ type, data }) => type === 'data_stream' && (data as { buttonId?: string }).buttonId === buttonId,
    ).length
  }

  show(text: string): void {
    const layout = { layoutType: 'text_wall', text }
    this.app.send({ type: 'display_event', packageName: this.packageName, view: 'main', layout })
  }

  /** How often the glasses showed a text of the app. */
  shown(text: string): number {
    return this.glasses
      .messages('display_event')
      .filter(({ layout }) => (layout as { text?: string }).text === text).length
  }
}
