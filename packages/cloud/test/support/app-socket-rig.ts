import type { Env } from '../../src/config/index.ts'
import { bearer, type Frame, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { VirtualClock } from '../../src/time/testing/virtual-clock.ts'
import { type AppServer, startAppServer } from './app-server.ts'
import type { Scope } from './scope.ts'
import { type LocalCloud, startCloud } from './test-cloud.ts'

/** The user of glasses who has started an app, and what the app authenticates with. */
interface StartedApp {
  readonly packageName: string
  readonly apiKey: string
  readonly email: string
  readonly glasses: SocketClient
  readonly sessionId: string
  /** The `tpa_connection_init` of the app. */
  readonly init: Frame
}

/** A cloud on a virtual clock, and apps whose sockets the test controls. */
export class AppSocketRig {
  readonly cloud: LocalCloud
  readonly clock: VirtualClock
  /** The URL of the app socket. */
  readonly url: string
  #apps = 0

  private constructor(cloud: LocalCloud, clock: VirtualClock) {
    this.cloud = cloud
    this.clock = clock
    this.url = `${cloud.wsUrl}/app-ws`
  }

  static async start(scope: Scope, env: Env = {}): Promise<AppSocketRig> {
    const clock = new VirtualClock(Date.now())
    return new AppSocketRig(await startCloud(scope, { env, overrides: { clock } }), clock)
  }

  /** Connects glasses and starts an app; its webhook was called, its socket is not connected yet. */
  async startApp(t: Scope, sdk?: AppServer['sdk']): Promise<StartedApp> {
    this.#apps += 1
    const packageName = `dev.my-app.number-${this.#apps}`
    const server = await startAppServer(t, packageName)
    server.behavior = 'never-connect'
    server.sdk = sdk
    const { apiKey } = await this.cloud.registerApp({
      packageName,
      publicUrl: server.url,
      permissions: [{ type: 'MICROPHONE' }, { type: 'CAMERA' }],
    })
    const email = `ann-marie-${this.#apps}@ex-ample.com`
    const token = await this.cloud.token(email)
    const glasses = await SocketClient.open(t, `${this.cloud.wsUrl}/glasses-ws`, bearer(token))
    await glasses.next('connection_ack')
    glasses.send({ type: 'start_app', packageName })
    const { sessionId } = await server.called('session_request')
    const init: Frame = { type: 'tpa_connection_init', packageName, apiKey, sessionId }
    return { packageName, apiKey, email, glasses, sessionId, init }
  }

  /** Starts an app and connects its socket. */
  async startConnectedApp(t: Scope, path = '/app-ws', sdk?: AppServer['sdk']) {
    const started = await this.startApp(t, sdk)
    const app = await SocketClient.open(t, this.cloud.wsUrl + path)
    app.send(started.init)
    const ack = await app.next('tpa_connection_ack')
    return { ...started, app, ack }
  }

  /** Sends a `tpa_connection_init` that must be rejected; returns the error code and the close code. */
  async rejectionOf(t: Scope, init: Frame): Promise<unknown[]> {
    const app = await SocketClient.open(t, this.url)
    app.send(init)
    const { code } = await app.next('tpa_connection_error')
    const closing = await app.closed()
    return [code, closing.code]
  }
}
