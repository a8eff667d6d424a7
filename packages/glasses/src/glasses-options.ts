import type { AudioFormat, Dialect } from '@glasses-cloud/contract'
import type { CameraBehaviour } from './camera/camera.ts'
import { type Clock, systemClock } from './clock.ts'
import type { LensSize } from './lens/draw-layout.ts'
import { defaultLensSize } from './lens/lens.ts'
import { type BackoffPolicy, defaultBackoff } from './link/backoff.ts'
import { defaultJsonPing, type JsonPingPolicy } from './link/json-ping.ts'
import type { Place } from './place.ts'
import type { StreamNames } from './streaming.ts'

/** By which way a phone answers what it was asked over its socket. */
export type AnswersBy = 'socket' | 'rest'

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
  readonly camera?: CameraBehaviour
  /** Which names of messages about streams the phone knows; `rtmp` by default, `generic` for newer phones. */
  readonly streamNames?: StreamNames
  /**
   * How the phone answers: `socket` (default), where it says only which photos failed, or `rest` as newer phones do,
   * which say of every photo how it went.
   */
  readonly answersBy?: AnswersBy
  /** Where the wearer is. Without it the phone leaves it to `location` to answer who asks. */
  readonly place?: Place
  /**
   * In which format sound is sent. Newer phones say so by REST after each acknowledgement; absent, it is PCM and nothing
   * is said, as older phones and headless clients do.
   */
  readonly sound?: AudioFormat
  readonly lens?: Partial<LensSize>
  readonly clock?: Clock
  /** Gives numbers from 0 up to 1. */
  readonly random?: () => number
}

/** The options with every default filled in. */
export interface GlassesSettings {
  readonly url: string
  readonly token: string
  readonly tokenIn: 'header' | 'query'
  readonly dialect: Dialect
  readonly dialectBy: 'message' | 'query' | 'subprotocol'
  readonly model: string | null
  readonly wifi: Wifi | undefined
  readonly backoff: BackoffPolicy | false
  readonly jsonPing: JsonPingPolicy | false
  readonly camera: CameraBehaviour
  readonly streamNames: StreamNames
  readonly answersBy: AnswersBy
  readonly place: Place | undefined
  readonly sound: AudioFormat | undefined
  readonly lens: LensSize
  readonly clock: Clock
  readonly random: () => number
}

/** Fills in the defaults; throws on a combination that cannot work. */
export function settle(options: GlassesOptions): GlassesSettings {
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
    backoff: reconnect === false ? false : { ...defaultBackoff, ...reconnect },
    jsonPing: jsonPing === true ? defaultJsonPing : jsonPing,
    camera: options.camera ?? { kind: 'direct' },
    streamNames: options.streamNames ?? 'rtmp',
    answersBy: options.answersBy ?? 'socket',
    place: options.place,
    sound: options.sound,
    lens: { ...defaultLensSize, ...options.lens },
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  }
}
