import { shouldReconnect } from '@glasses-cloud/contract'
import type { WebhookResponse } from '../../webhooks/index.ts'
import type { Ledger } from './ledger.ts'
import type { SimSocket, SocketClient, SocketNode } from './sim-socket.ts'
import type { World } from './world.ts'

/** Attempts of an app to reconnect, as the SDK makes them. */
const MAX_ATTEMPTS = 12

export interface AppsDeps {
  readonly world: World
  readonly ledger: Ledger
  /** Whether app servers may refuse requests. */
  isRefusing(): boolean
  /** Returns the node that the balancer chooses for a socket. */
  pickNode(): SocketNode | undefined
  /** Whether the node, and what it needs, has worked without interruption for so long. */
  isHealthySince(node: SocketNode, ms: number): boolean
}

/** The servers of the apps. */
export class SimApps {
  readonly #deps: AppsDeps
  readonly #runs = new Map<string, AppRun>()

  constructor(deps: AppsDeps) {
    this.#deps = deps
  }

  /** The sessions of the apps that have not ended. */
  get runs(): AppRun[] {
    return [...this.#runs.values()].filter(({ isEnded }) => !isEnded)
  }

  find(sessionId: string): AppRun | undefined {
    const run = this.#runs.get(sessionId)
    return run?.isEnded ? undefined : run
  }

  /** Answers the webhook call of a node. */
  answer(
    userId: string,
    packageName: string,
    sessionId: string,
    type: string,
    respond: (response: WebhookResponse) => void,
  ): void {
    const { world } = this.#deps
    const { random } = world
    const isRefused = this.#deps.isRefusing() && random.chance(0.15)
    world.after(random.below(30), () => {
      if (isRefused && random.chance(0.5)) {
        const code = 'REFUSED_500'
        world.after(random.below(20), () => respond({ ok: false, code, message: code, retryable: true }))
        return
      }
      if (type === 'stop_request') this.#runs.get(sessionId)?.stop()
      else this.open(userId, packageName, sessionId)
      // Otherwise the response is lost, and the node times out.
      if (!isRefused) world.after(random.below(20), () => respond({ ok: true, status: 200, body: {} }))
    })
  }

  /** Connects an app for a session. */
  open(userId: string, packageName: string, sessionId: string): AppRun {
    this.#runs.get(sessionId)?.stop()
    const run = new AppRun(this.#deps, userId, packageName, sessionId)
    this.#runs.set(sessionId, run)
    run.connect()
    return run
  }
}

/** An app in the session of one user, as its server sees it. */
export class AppRun implements SocketClient {
  readonly userId: string
  readonly packageName: string
  readonly sessionId: string
  readonly #deps: AppsDeps
  #socket: SimSocket | undefined
  #node: SocketNode | undefined
  #attempts = 0
  #acknowledgedAt: number | undefined
  isEnded = false

  constructor(deps: AppsDeps, userId: string, packageName: string, sessionId: string) {
    this.#deps = deps
    this.userId = userId
    this.packageName = packageName
    this.sessionId = sessionId
  }

  get isConnected(): boolean {
    return this.#acknowledgedAt !== undefined && this.#socket?.isClientOpen === true
  }

  /** Whether it has been connected for so long over a node that works. */
  isConnectedSince(ms: number): boolean {
    if (!this.isConnected || !this.#node) return false
    return (
      this.#deps.world.now - (this.#acknowledgedAt ?? 0) >= ms && this.#deps.isHealthySince(this.#node, ms)
    )
  }

  get userSessionId(): string | undefined {
    return this.isConnected ? this.sessionId.split('-')[0] : undefined
  }

  get nodeId(): string | undefined {
    return this.#node?.id
  }

  connect(): void {
    if (this.isEnded) return
    const node = this.#deps.pickNode()
    if (!node) return this.#connectLater()
    this.#node = node
    const { packageName, sessionId, userId } = this
    this.#socket = node.acceptApp(this, userId, packageName)
    this.#socket.sendFromClient({ type: 'tpa_connection_init', packageName, sessionId, apiKey: 'key' })
  }

  message({ type, streamType, data }: Readonly<Record<string, unknown>>): void {
    if (type === 'tpa_connection_ack') {
      this.#acknowledgedAt = this.#deps.world.now
      this.#attempts = 0
      this.#socket?.sendFromClient({
        type: 'subscription_update',
        packageName: this.packageName,
        sessionId: this.sessionId,
        subscriptions: ['button_press'],
      })
    } else if (type === 'data_stream' && streamType === 'button_press')
      this.#deps.ledger.received(
        this.userId,
        this.packageName,
        (data as { readonly buttonId: string }).buttonId,
      )
    else if (type === 'app_stopped') this.stop()
  }

  closed(code: number): void {
    this.#acknowledgedAt = undefined
    if (this.isEnded) return
    if (shouldReconnect(code)) this.#connectLater()
    else this.isEnded = true
  }

  /** Loses its connection. */
  loseConnection(): void {
    this.#socket?.loseConnection(this.#deps.world.random.below(4_000))
  }

  stop(): void {
    this.isEnded = true
    this.#deps.ledger.appEnded(this.userId, this.packageName)
    this.#socket?.closeFromClient()
  }

  #connectLater(): void {
    this.#attempts += 1
    if (this.#attempts > MAX_ATTEMPTS) this.isEnded = true
    else this.#deps.world.after(200 + this.#deps.world.random.below(600), () => this.connect())
  }
}
