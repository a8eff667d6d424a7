import { EventEmitter } from 'node:events'
import type { PubSubClient } from '../../bus/redis-transport.ts'
import { type LiveNode, NODE_LEASE_MS, type NodeInfo, nodeIdOf, type SharedLeases } from '../shared-leases.ts'
import { Pipe } from './pipe.ts'
import type { SimProcess } from './sim-process.ts'
import { SimServer } from './sim-server.ts'
import type { World } from './world.ts'

const BLOCKED = 'blocked'
const BLOCK_MS = 60_000
const COMMAND_TIMEOUT_MS = 1_000

/** Time after which a client closes a connection on which nothing arrives, and the interval in which it asks for something. */
const SOCKET_TIMEOUT_MS = 2_000
const PING_INTERVAL_MS = 1_000
const RECONNECT_MS = 100

/** A message on its way to a listener. */
export interface Arriving {
  readonly payload: Buffer
  readonly publishedAt: number
}

/** The server's end of a connection that publishes or subscribes. */
interface Connection {
  readonly channels: Set<string>
  readonly toServer: Pipe
  readonly toClient: Pipe
  message(channel: string, payload: Buffer, publishedAt: number): void
  /** Closes the client's end. */
  reset(): void
}

/** A model of Redis: leases, and channels whose messages are delivered in order to each connection. */
export class SimRedis {
  readonly server: SimServer
  readonly #world: World
  readonly #isCluster: boolean
  readonly #onLost: () => void
  readonly #connections = new Set<Connection>()
  readonly #pipesOf = new Map<SimProcess, Set<Connection>>()
  #leases = new Map<
    string,
    { readonly value: string; readonly info?: NodeInfo; readonly expiresAt: number }
  >()
  /** Since when leases are kept. */
  #start: number | undefined
  #lost = 0
  #repeated = 0

  /** @param lost called when a message is lost */
  constructor(world: World, isCluster: boolean, lost: () => void) {
    this.#world = world
    this.#isCluster = isCluster
    this.#onLost = lost
    this.server = new SimServer(world, COMMAND_TIMEOUT_MS)
  }

  /** Loses all leases. */
  empty(): void {
    this.#leases = new Map()
    this.#start = undefined
  }

  stop(): void {
    this.server.stop()
    for (const connection of [...this.#connections]) connection.reset()
  }

  startAgain(): void {
    this.server.startAgain()
  }

  /** Closes the connections of a node. */
  reset(process: SimProcess): void {
    for (const connection of [...(this.#pipesOf.get(process) ?? [])]) connection.reset()
  }

  cut(process: SimProcess): void {
    this.server.cut.add(process)
    for (const connection of this.#pipesOf.get(process) ?? []) {
      connection.toClient.hold()
      connection.toServer.hold()
      const ms = SOCKET_TIMEOUT_MS + this.#world.random.below(PING_INTERVAL_MS)
      this.#world.after(ms, () => {
        if (this.server.cut.has(process) && this.#connections.has(connection)) connection.reset()
      })
    }
  }

  /** Ends a cut. What was sent during a short one still arrives. */
  heal(process: SimProcess): void {
    this.server.cut.delete(process)
    for (const { toClient, toServer } of this.#pipesOf.get(process) ?? []) {
      toServer.resume()
      toClient.resume()
    }
  }

  /** The next message is lost, as in a failover. */
  loseNext(): void {
    this.#lost = 1
  }

  /** The next message arrives twice. */
  repeatNext(): void {
    this.#repeated = 1
  }

  /** Nothing is lost or repeated from now on. */
  deliverAll(): void {
    this.#lost = 0
    this.#repeated = 0
  }

  /** Opens a connection that publishes or subscribes. */
  connect(process: SimProcess): SimPubSubClient {
    return new SimPubSubClient(this, process)
  }

  /** @internal */
  accept(process: SimProcess, client: Pick<Connection, 'message' | 'reset'>): Connection {
    const connection: Connection = {
      channels: new Set(),
      toServer: new Pipe(this.#world, undefined, () => this.server.delay()),
      toClient: new Pipe(this.#world, process, () => this.server.delay()),
      message: (...message) => client.message(...message),
      reset: () => client.reset(),
    }
    this.#connections.add(connection)
    const own = this.#pipesOf.get(process) ?? new Set()
    this.#pipesOf.set(process, own.add(connection))
    return connection
  }

  /** Closes a connection. Without a network between, the server only notices it later. @internal */
  close(process: SimProcess, connection: Connection): void {
    connection.toServer.break()
    connection.toClient.break()
    this.#pipesOf.get(process)?.delete(connection)
    const remove = () => this.#connections.delete(connection)
    if (this.server.cut.has(process)) this.#world.after(this.#world.random.below(20_000), remove)
    else remove()
  }

  /** @internal */
  publish(channel: string, payload: Buffer, publishedAt: number): number {
    let receivers = 0
    for (const connection of this.#connections) {
      if (!connection.channels.has(channel)) continue
      receivers += 1
      if (this.#lost > 0) {
        this.#lost -= 1
        this.#onLost()
        continue
      }
      const deliver = () => connection.message(channel, payload, publishedAt)
      connection.toClient.send(deliver)
      if (this.#repeated > 0) {
        this.#repeated -= 1
        connection.toClient.send(deliver)
      }
    }
    return receivers
  }

  /** The leases, as a node uses them. */
  leasesOf(process: SimProcess): SharedLeases {
    const call = <Value>(run: () => Value) =>
      this.server.call<Value>(process, ({ resolve }) => {
        this.#start ??= this.#world.now
        resolve(run())
      })
    return {
      renew: (info, ms) =>
        call(() => {
          const { holder } = info
          const value = this.#valueOf(holder)
          if (value !== undefined && value !== holder) return false
          this.#leases.set(holder, { value: holder, info, expiresAt: this.#world.now + ms })
          return true
        }),
      block: (holder) =>
        call(() => {
          if (this.#world.now - (this.#start ?? 0) < NODE_LEASE_MS) return false
          if (this.#valueOf(holder) === holder) return false
          this.#leases.set(holder, { value: BLOCKED, expiresAt: this.#world.now + BLOCK_MS })
          return true
        }),
      release: (holder) => call(() => void this.#leases.delete(holder)),
      isHeld: (holder) => call(() => this.#valueOf(holder) === holder),
      list: () => call(() => this.#list()),
    }
  }

  #list(): LiveNode[] {
    const nodes: LiveNode[] = []
    for (const [holder, { info }] of this.#leases) {
      if (!info || this.#valueOf(holder) !== holder) continue
      const channel = `node:${nodeIdOf(holder)}`
      const isListening = [...this.#connections].some(({ channels }) => channels.has(channel))
      nodes.push({ ...info, isListening: this.#isCluster ? undefined : isListening })
    }
    return nodes
  }

  #valueOf(holder: string): string | undefined {
    const lease = this.#leases.get(holder)
    return lease && lease.expiresAt > this.#world.now ? lease.value : undefined
  }
}

/** A connection that publishes or subscribes, as its client sees it: it reconnects until it is closed. */
export class SimPubSubClient extends EventEmitter implements PubSubClient {
  readonly #redis: SimRedis
  readonly #process: SimProcess
  readonly #pending = new Set<(error: Error) => void>()
  /** The message that is being delivered. */
  arriving: Arriving | undefined
  #connection: Connection | undefined
  #isEnded = false

  constructor(redis: SimRedis, process: SimProcess) {
    super()
    this.#redis = redis
    this.#process = process
    this.#connectAfter(1)
    process.onDeath(() => this.#close())
  }

  get status(): string {
    return this.#connection ? 'ready' : this.#isEnded ? 'end' : 'reconnecting'
  }

  publish(channel: string, payload: Buffer): Promise<number> {
    const publishedAt = this.#process.world.now
    return this.#command(() => this.#redis.publish(channel, payload, publishedAt))
  }

  subscribe(...channels: string[]): Promise<unknown> {
    return this.#command(({ channels: subscribed }) => {
      for (const channel of channels) subscribed.add(channel)
    })
  }

  unsubscribe(channel: string): Promise<unknown> {
    return this.#command(({ channels }) => channels.delete(channel))
  }

  ping(): Promise<unknown> {
    return this.#command(() => 'PONG')
  }

  disconnect(reconnect = false): void {
    if (!reconnect) this.#isEnded = true
    this.#reset()
  }

  message(channel: string, payload: Buffer, publishedAt: number): void {
    // A message that arrives twice is another object each time, as it would be from a socket.
    const copy = Buffer.from(payload)
    this.arriving = { payload: copy, publishedAt }
    this.emit('messageBuffer', Buffer.from(channel), copy)
    this.arriving = undefined
  }

  reset(): void {
    this.#process.whenAwake(() => this.#reset())
  }

  #command<Value>(run: (connection: Connection) => Value): Promise<Value> {
    const connection = this.#connection
    if (!connection) return Promise.reject(new Error('Redis is not connected'))
    return new Promise((resolve, reject) => {
      this.#pending.add(reject)
      connection.toServer.send(() => {
        const value = run(connection)
        connection.toClient.send(() => {
          this.#pending.delete(reject)
          resolve(value)
        })
      })
    })
  }

  #reset(): void {
    if (!this.#close()) return
    this.emit('close')
    if (!this.#isEnded) this.#connectAfter(RECONNECT_MS)
  }

  /** @returns whether it was open */
  #close(): boolean {
    const connection = this.#connection
    if (!connection) return false
    this.#connection = undefined
    this.#redis.close(this.#process, connection)
    for (const reject of this.#pending) reject(new Error('Connection is closed.'))
    this.#pending.clear()
    return true
  }

  #connectAfter(ms: number): void {
    this.#process.clock.after(ms, () => {
      if (this.#isEnded || this.#connection) return
      if (!this.#redis.server.isReachable(this.#process)) return this.#connectAfter(2 * RECONNECT_MS)
      this.#connection = this.#redis.accept(this.#process, this)
      this.emit('ready')
    })
  }
}
