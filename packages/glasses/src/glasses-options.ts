import type { AudioFormat, Dialect } from '@glasses-cloud/contract'
import type { CameraBehavior } from './camera/photo-request.ts'
import type { StreamMessageNames } from './camera/streaming-camera.ts'
import { type Clock, systemClock } from './clock.ts'
import { DEFAULT_DISPLAY_SIZE } from './display/display.ts'
import type { DisplaySize } from './display/draw-layout.ts'
import type { Position } from './place.ts'
import { type BackoffPolicy, DEFAULT_BACKOFF } from './socket/backoff.ts'
import { DEFAULT_JSON_PING, type JsonPingPolicy } from './socket/json-ping.ts'

/** By which way a phone answers what it was asked over its socket. */
export type ResponseChannel = 'socket' | 'rest'

/** A Wi-Fi network the glasses are in, or none. */
export interface Wifi {
  readonly connected: boolean
  readonly ssid?: string
}

/** What a simulated pair of glasses, with its phone, is like. Everything but `url` and `token` has a default. */
export interface GlassesOptions {
  /** The cloud: `http`, `https`, `ws` or `wss`. A path of it stays in front of `/glasses-ws`. */
  readonly url: string
  readonly token: string
  /** Where the token goes: `header` (default), or `query` as phones do. */
  readonly tokenIn?: 'header' | 'query'
  /** `flat` (default) as the ecosystem speaks, or `envelope`. */
  readonly dialect?: Dialect
  /**
   * How the cloud learns of the dialect: by the first message (default), by `?dialect=`, or by the subprotocol
   * (envelope only).
   */
  readonly dialectBy?: 'message' | 'query' | 'subprotocol'
  /** Model of the glasses; `null` for a phone without glasses. `Simulated Glasses` by default. */
  readonly model?: string | null
  /** Reported with the model where the glasses have Wi-Fi. */
  readonly wifi?: Wifi
  /** How to come back after a loss; `false`: not at all. */
  readonly reconnect?: Partial<BackoffPolicy> | false
  /** Ask `ping` in JSON as newer phones do; `false` by default, `true` for their timing. */
  readonly jsonPing?: boolean | JsonPingPolicy
  /** What happens when an app asks for a photo; `{ kind: 'direct' }` by default. */
  readonly camera?: CameraBehavior
  /** Which names of messages about streams the phone knows; `rtmp` by default, `generic` for newer phones. */
  readonly streamMessageNames?: StreamMessageNames
  /**
   * How the phone answers: `socket` (default), where it says only which photos failed, or `rest` as newer phones do,
   * which say of every photo how it went.
   */
  readonly respondBy?: ResponseChannel
  /** Where the wearer is. Without it the phone leaves it to `location` to answer who asks. */
  readonly position?: Position
  /**
   * In which format sound is sent. Newer phones say so by REST after each acknowledgement; absent, it is PCM and nothing
   * is said, as older phones and headless clients do.
   */
  readonly audioFormat?: AudioFormat
  readonly display?: Partial<DisplaySize>
  readonly clock?: Clock
  /** Gives numbers from 0 up to 1. */
  readonly random?: () => number
}

/** The options with every default filled in. */
export interface ResolvedOptions {
  readonly url: string
  readonly token: string
  readonly tokenIn: 'header' | 'query'
  readonly dialect: Dialect
  readonly dialectBy: 'message' | 'query' | 'subprotocol'
  readonly model: string | null
  readonly wifi: Wifi | undefined
  readonly backoff: BackoffPolicy | false
  readonly jsonPing: JsonPingPolicy | false
  readonly camera: CameraBehavior
  readonly streamMessageNames: StreamMessageNames
  readonly respondBy: ResponseChannel
  readonly position: Position | undefined
  readonly audioFormat: AudioFormat | undefined
  readonly display: DisplaySize
  readonly clock: Clock
  readonly random: () => number
}

/** Fills in the defaults; throws on a combination that cannot work. */
export function resolveOptions(options: GlassesOptions): ResolvedOptions {
  const { dialect = 'flat', dialectBy = 'message', reconnect = {}, jsonPing = false } = options
  if (dialectBy === 'subprotocol' && dialect !== 'envelope') {
    throw new Error('The subprotocol stands for the envelope dialect; flat has none')
  }
  return {
    url: options.url,
    token: options.token,
    tokenIn: options.tokenIn ?? 'header',
    dialect,
    dialectBy,
    model: options.model === undefined ? 'Simulated Glasses' : options.model,
    wifi: options.wifi,
    backoff: reconnect === false ? false : { ...DEFAULT_BACKOFF, ...reconnect },
    jsonPing: jsonPing === true ? DEFAULT_JSON_PING : jsonPing,
    camera: options.camera ?? { kind: 'direct' },
    streamMessageNames: options.streamMessageNames ?? 'rtmp',
    respondBy: options.respondBy ?? 'socket',
    position: options.position,
    audioFormat: options.audioFormat,
    display: { ...DEFAULT_DISPLAY_SIZE, ...options.display },
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  }
}
