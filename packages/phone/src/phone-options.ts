import type { Dialect } from '@glasses-cloud/contract'
import { openSocket, playSound, speak } from '#platform'
import { type Clock, systemClock } from './clock.ts'
import type { OpenSocket, PlaySound, Speak } from './platform/platform.ts'
import { DEFAULT_JSON_PING, type JsonPingPolicy } from './socket/json-ping.ts'
import { type BackoffPolicy, DEFAULT_BACKOFF } from './socket/reconnecting-socket.ts'

/** Transport with which the phone responds to requests from its socket. */
export type ResponseChannel = 'socket' | 'rest'

/** Options of a phone. Only `url` and `token` are required. */
export interface PhoneOptions {
  /** URL of the cloud: `http`, `https`, `ws` or `wss`. `/glasses-ws` is appended to its path. */
  readonly url: string
  /** A token of the user: a core token, or a glasses token if REST requests are authenticated by a cookie. */
  readonly token: string
  /** How REST requests are authenticated: by the token (default), or by the session cookie of a browser. */
  readonly credentials?: 'token' | 'cookie'
  /** Where the handshake has the token: `header` (default), or `query` as on phones. */
  readonly tokenIn?: 'header' | 'query'
  /** `flat` (default), as existing phones use, or `envelope`. */
  readonly dialect?: Dialect
  /**
   * How the dialect is selected: by the first message (default), by `?dialect=`, or by the subprotocol (envelope only).
   */
  readonly dialectBy?: 'message' | 'query' | 'subprotocol'
  /** Backoff after a loss; `false` disables reconnecting. */
  readonly reconnect?: Partial<BackoffPolicy> | false
  /** Send JSON `ping` as newer phones do: `true` for their timing. `false` by default. */
  readonly jsonPing?: boolean | JsonPingPolicy
  /**
   * How the phone responds: `socket` (default), which reports only failed photos, or `rest` as newer phones do, which
   * report every photo.
   */
  readonly respondBy?: ResponseChannel
  /** Position of the user. Without it the phone does not respond to location polls. */
  readonly position?: Position
  /** Finds the position of the user while apps ask for it and no `position` is set; undefined if it is unknown. */
  readonly locate?: () => Promise<Position | undefined>
  /** Opens the socket; replaces that of the platform, for instance by one with faults. */
  readonly openSocket?: OpenSocket
  /** The speaker; in Node it is silent by default, but takes as long as the sound lasts. */
  readonly playSound?: PlaySound
  /** Speaks what the cloud has no voice for; by default the browser does, and Node nothing. */
  readonly speak?: Speak
  readonly clock?: Clock
  /** Returns numbers in [0, 1). */
  readonly random?: () => number
}

/** `PhoneOptions` with every default applied. */
export interface ResolvedPhoneOptions {
  readonly url: string
  readonly token: string
  readonly credentials: 'token' | 'cookie'
  readonly tokenIn: 'header' | 'query'
  readonly dialect: Dialect
  readonly dialectBy: 'message' | 'query' | 'subprotocol'
  readonly backoff: BackoffPolicy | false
  readonly jsonPing: JsonPingPolicy | false
  readonly respondBy: ResponseChannel
  readonly position: Position | undefined
  readonly locate: (() => Promise<Position | undefined>) | undefined
  readonly openSocket: OpenSocket
  readonly playSound: PlaySound
  readonly speak: Speak | undefined
  readonly clock: Clock
  readonly random: () => number
}

/**
 * Applies the defaults.
 * @throws {Error} if options contradict each other
 */
export function resolvePhoneOptions(options: PhoneOptions): ResolvedPhoneOptions {
  const { dialect = 'flat', dialectBy = 'message', reconnect = {}, jsonPing = false } = options
  if (dialectBy === 'subprotocol' && dialect !== 'envelope') {
    throw new Error(`dialectBy "subprotocol" requires dialect "envelope" (got "${dialect}")`)
  }
  return {
    url: options.url,
    token: options.token,
    credentials: options.credentials ?? 'token',
    tokenIn: options.tokenIn ?? 'header',
    dialect,
    dialectBy,
    backoff: reconnect === false ? false : { ...DEFAULT_BACKOFF, ...reconnect },
    jsonPing: jsonPing === true ? DEFAULT_JSON_PING : jsonPing,
    respondBy: options.respondBy ?? 'socket',
    position: options.position,
    locate: options.locate,
    openSocket: options.openSocket ?? openSocket,
    playSound: options.playSound ?? playSound,
    speak: options.speak ?? speak,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  }
}

/** Position of the user. */
export interface Position {
  readonly lat: number
  readonly lng: number
  /** In meters. */
  readonly accuracy?: number
}
