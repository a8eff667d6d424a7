import { shouldReconnect } from '@glasses-cloud/contract'
import type { SessionUser } from '../../session-host/index.ts'
import type { Ledger } from './ledger.ts'
import type { SimSocket, SocketClient, SocketNode } from './sim-socket.ts'
import type { World } from './world.ts'

/** Time within which glasses are acknowledged without faults, also while nodes are replaced. */
const RECONNECTED_MS = 2_500

/** Time after which glasses that are not acknowledged connect anew. */
const ACK_TIMEOUT_MS = 5_000

export interface GlassesDeps {
  readonly world: World
  readonly ledger: Ledger
  /** Whether the schedule has faults. */
  hasFaults(): boolean
  pickNode(): SocketNode | undefined
}

/** The glasses of one user. While they are switched on they keep reconnecting, to any node. */
export class SimGlasses {
  readonly user: SessionUser
  readonly #deps: GlassesDeps
  #isOn = false
  #connection: GlassesConnection | undefined
  #serial = 0
  /** Since when they have not been acknowledged. */
  #disconnectedAt: number | undefined

  constructor(user: SessionUser, deps: GlassesDeps) {
    this.user = user
    this.#deps = deps
  }

  get isOn(): boolean {
    return this.#isOn
  }

  /** The session that acknowledged the open socket. */
  get sessionId(): string | undefined {
    return this.#connection?.sessionId
  }

  get nodeId(): string | undefined {
    return this.#connection?.node.id
  }

  switchOn(): void {
    if (this.#isOn) return
    this.#isOn = true
    this.#connect()
  }

  switchOff(): void {
    this.#isOn = false
    this.#disconnectedAt = undefined
    this.#connection?.close()
    this.#connection = undefined
  }

  loseConnection(): void {
    this.#connection?.socket.loseConnection(this.#deps.world.random.below(4_000))
  }

  /** Presses a button. @returns the id of the event; undefined without an acknowledged socket */
  press(): string | undefined {
    if (this.sessionId === undefined) return undefined
    this.#serial += 1
    const buttonId = `press ${this.#serial}`
    this.#connection?.socket.sendFromClient({ type: 'button_press', buttonId, pressType: 'short' })
    return buttonId
  }

  #connect(): void {
    if (!this.#isOn) return
    const { world, pickNode, ledger, hasFaults } = this.#deps
    if (this.#disconnectedAt === undefined) {
      const since = world.now
      this.#disconnectedAt = since
      world.after(RECONNECTED_MS, () => {
        const isWaiting = this.#isOn && this.#disconnectedAt === since && this.sessionId === undefined
        ledger.assert(
          !isWaiting || hasFaults(),
          `the glasses of ${this.user.id} cannot connect without faults`,
        )
      })
    }
    const node = pickNode()
    if (!node) return void world.after(300, () => this.#connect())
    const connection = new GlassesConnection(node, this.user, (code) => {
      if (this.#connection !== connection) return
      if (connection.wasAcknowledged) this.#disconnectedAt = undefined
      this.#connection = undefined
      // Other glasses replaced these: their user sees that and reconnects.
      world.after((shouldReconnect(code) ? 200 : 3_000) + world.random.below(500), () => this.#connect())
    })
    this.#connection = connection
    world.after(ACK_TIMEOUT_MS, () => {
      if (this.#connection !== connection || connection.sessionId !== undefined) return
      connection.close()
      this.#connection = undefined
      this.#connect()
    })
  }
}

class GlassesConnection implements SocketClient {
  readonly node: SocketNode
  readonly socket: SimSocket
  readonly #closed: (code: number) => void
  sessionId: string | undefined
  wasAcknowledged = false

  constructor(node: SocketNode, user: SessionUser, closed: (code: number) => void) {
    this.node = node
    this.#closed = closed
    this.socket = node.acceptGlasses(this, user)
  }

  get userSessionId(): string | undefined {
    return this.sessionId
  }

  message({ type, sessionId }: Readonly<Record<string, unknown>>): void {
    if (type !== 'connection_ack') return
    this.sessionId = sessionId as string
    this.wasAcknowledged = true
  }

  closed(code: number): void {
    this.sessionId = undefined
    this.#closed(code)
  }

  close(): void {
    this.sessionId = undefined
    this.socket.closeFromClient()
  }
}
