import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../time/index.ts'
import type { BusTransport, TransportEvents } from './bus.ts'

/**
 * The version of messages between nodes. It precedes the names of channels, so that nodes of another version do not
 * receive messages that they would misread; to each other such nodes do not listen.
 */
const VERSION = 2

const MAC_BYTES = 16
/** Epoch ms of the sender. */
const TIME_BYTES = 8
const HEADER_BYTES = MAC_BYTES + TIME_BYTES

/** Age beyond which a message is ignored: somebody recorded and repeats it. Within it, batches are numbered. */
const MAX_AGE_MS = 60_000

/** Time between two log lines about ignored messages. */
const LOG_INTERVAL_MS = 60_000

export interface AuthenticationDeps {
  /** The accepted values of `AUTH_SECRET`, the current one first. */
  readonly secrets: readonly [string, ...string[]]
  /** Identifies the cloud, so that messages of one are not accepted by another with the same secret. */
  readonly cloud: string
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Authenticates the messages of another transport with a key derived from `AUTH_SECRET`, so that only nodes of this
 * cloud can send any: whoever else reaches Redis can neither forge a message, nor change one, nor send it to another
 * channel, nor repeat an old one.
 */
export class AuthenticatedTransport implements BusTransport {
  readonly #transport: BusTransport
  readonly #deps: AuthenticationDeps
  /** The key that signs, then those that are accepted as well. */
  readonly #keys: readonly [KeyObject, ...KeyObject[]]
  #loggedAt = Number.NEGATIVE_INFINITY

  constructor(transport: BusTransport, deps: AuthenticationDeps) {
    this.#transport = transport
    this.#deps = deps
    const [current, ...others] = deps.secrets
    this.#keys = [keyOf(current), ...others.map(keyOf)]
  }

  get isConnected(): boolean {
    return this.#transport.isConnected
  }

  start(events: TransportEvents): void {
    this.#transport.start({
      message: (versioned, message) => {
        const channel = versioned.slice(CHANNEL_PREFIX.length)
        if (this.#isAuthentic(channel, message)) events.message(channel, message.subarray(HEADER_BYTES))
        else this.#logIgnored()
      },
      connectionChanged: (isConnected) => events.connectionChanged(isConnected),
    })
  }

  subscribe(channel: string): Promise<void> {
    return this.#transport.subscribe(versionedChannel(channel))
  }

  unsubscribe(channel: string): void {
    this.#transport.unsubscribe(versionedChannel(channel))
  }

  publish(channel: string, payload: Buffer): Promise<number | undefined> {
    const message = Buffer.allocUnsafe(HEADER_BYTES + payload.byteLength)
    message.writeDoubleBE(this.#deps.clock.now(), MAC_BYTES)
    payload.copy(message, HEADER_BYTES)
    this.#mac(this.#keys[0], channel, message).copy(message)
    return this.#transport.publish(versionedChannel(channel), message)
  }

  reconnect(): void {
    this.#transport.reconnect()
  }

  close(): Promise<void> {
    return this.#transport.close()
  }

  #isAuthentic(channel: string, message: Buffer): boolean {
    if (message.byteLength < HEADER_BYTES) return false
    const mac = message.subarray(0, MAC_BYTES)
    if (!this.#keys.some((key) => timingSafeEqual(this.#mac(key, channel, message), mac))) return false
    const age = this.#deps.clock.now() - message.readDoubleBE(MAC_BYTES)
    return Math.abs(age) <= MAX_AGE_MS
  }

  /** Authenticates cloud, channel, time and payload. */
  #mac(key: KeyObject, channel: string, message: Buffer): Buffer {
    const mac = createHmac('sha256', key).update(`${VERSION} ${this.#deps.cloud} ${channel}\n`)
    return mac.update(message.subarray(MAC_BYTES)).digest().subarray(0, MAC_BYTES)
  }

  #logIgnored(): void {
    const now = this.#deps.clock.monotonicNow()
    if (now - this.#loggedAt < LOG_INTERVAL_MS) return
    this.#loggedAt = now
    this.#deps.log.warn('bus: ignored messages that are not of this cloud, or old; is Redis open to others?')
  }
}

const CHANNEL_PREFIX = `v${VERSION}:`

/** Returns the name of a channel as Redis knows it, without the prefix of the cloud. */
export function versionedChannel(channel: string): string {
  return CHANNEL_PREFIX + channel
}

function keyOf(secret: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'glasses-cloud node messages', 32)))
}
