import type { Logger } from 'pino'
import type { RedisSettings } from '../config/index.ts'
import type { Clock, Timer } from '../time/index.ts'
import type { BusTransport, TransportEvents } from './bus.ts'
import { connectServer } from './redis-connection.ts'

/** Interval between pings on the connection that subscribes. */
const PING_INTERVAL_MS = 1_000

/** Time after which a connection that does not respond is closed. */
const SOCKET_TIMEOUT_MS = 2_000

/** The part of a connection to Redis that the transport uses. */
export interface PubSubClient {
  readonly status: string
  on(event: 'ready' | 'close', listener: () => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
  on(event: 'messageBuffer', listener: (channel: Buffer, payload: Buffer) => void): unknown
  publish(channel: string, payload: Buffer): Promise<number>
  subscribe(...channels: string[]): Promise<unknown>
  unsubscribe(channel: string): Promise<unknown>
  ping(): Promise<unknown>
  disconnect(reconnect?: boolean): void
}

export interface RedisTransportDeps {
  readonly redis: RedisSettings
  /** Precedes every channel, so that clouds can share one Redis server. */
  readonly prefix: string
  readonly clock: Clock
  readonly log: Logger
}

/** A transport over Redis publish/subscribe: one connection publishes, another subscribes. */
export class RedisTransport implements BusTransport {
  readonly #deps: RedisTransportDeps
  readonly #publisher: PubSubClient
  readonly #subscriber: PubSubClient
  readonly #channels = new Set<string>()
  #events: TransportEvents | undefined
  #isConnected = false
  #isClosed = false
  #ping: Timer | undefined

  constructor(deps: RedisTransportDeps, publisher: PubSubClient, subscriber: PubSubClient) {
    this.#deps = deps
    this.#publisher = publisher
    this.#subscriber = subscriber
    for (const client of [publisher, subscriber]) {
      client.on('ready', () => void this.#resume())
      client.on('close', () => this.#disconnected())
      client.on('error', (error: unknown) => this.#disconnected(error))
    }
    subscriber.on('messageBuffer', (channel: Buffer, payload: Buffer) =>
      this.#events?.message(channel.toString().slice(deps.prefix.length), payload),
    )
  }

  /** Opens the connections without waiting for them. */
  static async open(deps: RedisTransportDeps): Promise<RedisTransport> {
    const options = { socketTimeout: SOCKET_TIMEOUT_MS, autoResubscribe: false }
    const [publisher, subscriber] = await Promise.all([
      connectServer(deps.redis, options),
      connectServer(deps.redis, options),
    ])
    return new RedisTransport(deps, publisher, subscriber)
  }

  get isConnected(): boolean {
    return this.#isConnected
  }

  start(events: TransportEvents): void {
    this.#events = events
  }

  async subscribe(channel: string): Promise<void> {
    this.#channels.add(channel)
    // A failed subscription is repeated with the next connection.
    if (this.#subscriber.status === 'ready')
      await this.#subscriber.subscribe(this.#deps.prefix + channel).catch(() => this.#reconnect())
  }

  unsubscribe(channel: string): void {
    this.#channels.delete(channel)
    if (this.#subscriber.status === 'ready')
      this.#subscriber.unsubscribe(this.#deps.prefix + channel).catch(() => {})
  }

  async publish(channel: string, payload: Buffer): Promise<number | undefined> {
    try {
      const receivers = await this.#publisher.publish(this.#deps.prefix + channel, payload)
      // A node of a Redis Cluster counts only its own subscribers.
      return this.#deps.redis.isCluster ? undefined : receivers
    } catch (error) {
      this.#disconnected(error)
      throw error
    }
  }

  reconnect(): void {
    this.#disconnected()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#isConnected = false
    this.#ping?.cancel()
    this.#publisher.disconnect()
    this.#subscriber.disconnect()
  }

  /** Subscribes again once both connections are ready; only then is nothing lost any more. */
  async #resume(): Promise<void> {
    if (this.#isClosed || this.#publisher.status !== 'ready' || this.#subscriber.status !== 'ready') return
    try {
      if (this.#channels.size > 0)
        await this.#subscriber.subscribe(...[...this.#channels].map((name) => this.#deps.prefix + name))
    } catch {
      return this.#reconnect()
    }
    if (this.#isConnected || this.#isClosed) return
    this.#isConnected = true
    this.#deps.log.info('bus: connected')
    this.#schedulePing()
    this.#events?.connectionChanged(true)
  }

  #disconnected(err?: unknown): void {
    if (!this.#isConnected || this.#isClosed) return
    this.#isConnected = false
    this.#ping?.cancel()
    this.#deps.log.warn({ err }, 'bus: disconnected, other nodes cannot be reached')
    this.#events?.connectionChanged(false)
    // What was lost is unknown, so both connections start over.
    this.#reconnect()
  }

  #reconnect(): void {
    if (this.#isClosed) return
    for (const client of [this.#publisher, this.#subscriber])
      if (client.status === 'ready') client.disconnect(true)
  }

  /** Detects a connection that is broken although it is open. */
  #schedulePing(): void {
    this.#ping = this.#deps.clock.after(PING_INTERVAL_MS, () => {
      this.#subscriber.ping().then(
        () => this.#isConnected && this.#schedulePing(),
        (error: unknown) => this.#disconnected(error),
      )
    })
  }
}
