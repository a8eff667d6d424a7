import type { AudioFormat, Dialect } from '@glasses-cloud/contract'
import { openSocket, playSound, takePicture } from '#platform'
import type { CameraBehavior } from './camera/photo-request.ts'
import type { StreamingBehavior, StreamMessageNames } from './camera/streaming-camera.ts'
import { type Clock, systemClock } from './clock.ts'
import { DEFAULT_DISPLAY_SIZE } from './display/display.ts'
import type { DisplaySize } from './display/draw-layout.ts'
import type { OpenSocket, PlaySound, TakePicture } from './platform/platform.ts'
import type { Position } from './position.ts'
import { type BackoffPolicy, DEFAULT_BACKOFF } from './socket/backoff.ts'
import { DEFAULT_JSON_PING, type JsonPingPolicy } from './socket/json-ping.ts'

/** Transport with which the phone responds to requests from its socket. */
export type ResponseChannel = 'socket' | 'rest'

/** Wi-Fi state of the glasses. */
export interface Wifi {
  readonly connected: boolean
  readonly ssid?: string
}

/** Options of simulated glasses and their phone. Only `url` and `token` are required. */
export interface GlassesOptions {
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
  /** Model of the glasses; `null` for a phone without glasses. `Simulated Glasses` by default. */
  readonly model?: string | null
  /** Reported together with the model, for glasses with Wi-Fi. */
  readonly wifi?: Wifi
  /** Backoff after a loss; `false` disables reconnecting. */
  readonly reconnect?: Partial<BackoffPolicy> | false
  /** Send JSON `ping` as newer phones do: `true` for their timing. `false` by default. */
  readonly jsonPing?: boolean | JsonPingPolicy
  /** How photo requests are handled; `{ kind: 'direct' }` by default. */
  readonly camera?: CameraBehavior
  /** How stream requests are handled; `{ kind: 'stream' }` by default, which sends no video. */
  readonly streaming?: StreamingBehavior
  /** Stream message names the phone supports: `rtmp` by default, `generic` for newer phones. */
  readonly streamMessageNames?: StreamMessageNames
  /**
   * How the phone responds: `socket` (default), which reports only failed photos, or `rest` as newer phones do, which
   * report every photo.
   */
  readonly respondBy?: ResponseChannel
  /** Position of the user. Without it the phone does not respond to location polls. */
  readonly position?: Position
  /**
   * Format of microphone audio. Newer phones configure it over REST after each acknowledgement. Without it, PCM is sent
   * and nothing is configured, as by older phones and headless clients.
   */
  readonly audioFormat?: AudioFormat
  readonly display?: Partial<DisplaySize>
  /** Opens the socket; replaces that of the platform, for instance by one with faults. */
  readonly openSocket?: OpenSocket
  /** The camera; by default it draws test pictures. */
  readonly takePicture?: TakePicture
  /** The speaker; in Node it is silent by default, but takes as long as the sound lasts. */
  readonly playSound?: PlaySound
  readonly clock?: Clock
  /** Returns numbers in [0, 1). */
  readonly random?: () => number
}

/** `GlassesOptions` with every default applied. */
export interface ResolvedOptions {
  readonly url: string
  readonly token: string
  readonly credentials: 'token' | 'cookie'
  readonly tokenIn: 'header' | 'query'
  readonly dialect: Dialect
  readonly dialectBy: 'message' | 'query' | 'subprotocol'
  readonly model: string | null
  readonly wifi: Wifi | undefined
  readonly backoff: BackoffPolicy | false
  readonly jsonPing: JsonPingPolicy | false
  readonly camera: CameraBehavior
  readonly streaming: StreamingBehavior
  readonly streamMessageNames: StreamMessageNames
  readonly respondBy: ResponseChannel
  readonly position: Position | undefined
  readonly audioFormat: AudioFormat | undefined
  readonly display: DisplaySize
  readonly openSocket: OpenSocket
  readonly takePicture: TakePicture
  readonly playSound: PlaySound
  readonly clock: Clock
  readonly random: () => number
}

/**
 * Applies the defaults.
 * @throws {Error} if options contradict each other
 */
export function resolveOptions(options: GlassesOptions): ResolvedOptions {
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
    model: options.model === undefined ? 'Simulated Glasses' : options.model,
    wifi: options.wifi,
    backoff: reconnect === false ? false : { ...DEFAULT_BACKOFF, ...reconnect },
    jsonPing: jsonPing === true ? DEFAULT_JSON_PING : jsonPing,
    camera: options.camera ?? { kind: 'direct' },
    streaming: options.streaming ?? { kind: 'stream' },
    streamMessageNames: options.streamMessageNames ?? 'rtmp',
    respondBy: options.respondBy ?? 'socket',
    position: options.position,
    audioFormat: options.audioFormat,
    display: { ...DEFAULT_DISPLAY_SIZE, ...options.display },
    openSocket: options.openSocket ?? openSocket,
    takePicture: options.takePicture ?? takePicture,
    playSound: options.playSound ?? playSound,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  }
}
