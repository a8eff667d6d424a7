import type { View } from '@glasses-cloud/contract'
import type { Display, LedCommand } from '@glasses-cloud/phone/browser'
import type { NetworkFaults } from './faulty-socket.ts'
import type { LoggedFrame } from './frame-log.ts'
import type { ReplayState } from './replay.ts'
import type { Utterance } from './speech-delays.ts'
import type { StartTimeline } from './start-timeline.ts'

/** State of the connection to the cloud. */
export type ConnectionState = 'disconnected' | 'connecting' | 'connected' | 'reconnecting'

/** What goes wrong on purpose. */
export interface Faults extends NetworkFaults {
  /** Requests of the cloud are not answered, as when the glasses are out of range. */
  readonly losesAnswers: boolean
  readonly refusesPhotos: boolean
  readonly hasBrokenLed: boolean
}

/** A sound that an app plays, or has played. */
export interface Sound {
  readonly requestId: string
  readonly url: string
  readonly volume: number
  readonly result: 'playing' | 'played' | 'failed'
  readonly error?: string
}

/** A photo that an app requested, or that the wearer took. */
export interface Photo {
  readonly requestId: string
  /** The picture; absent if there is none. */
  readonly picture?: Blob
  /** Why there is none, or why it was not delivered. */
  readonly error?: string
}

/** What the page shows of the simulated glasses. A new object after each change. */
export interface SimulatorState {
  readonly connection: ConnectionState
  /** Why the connection ended or failed. */
  readonly problem: string | undefined
  /** Whether other glasses took over the session of these. */
  readonly wasReplaced: boolean
  readonly model: string
  readonly display: Pick<Display, 'view' | 'lines' | 'layout' | 'headUp'>
  /** Whether an app has shown something since the glasses were put on and since an app stopped last. */
  readonly hasShown: boolean
  /** The microphone data that the cloud requires; empty while the microphone is off. */
  readonly requiredData: readonly string[]
  /** Why the cloud does not recognize or translate speech, as it reported. */
  readonly speechProblem: string | undefined
  readonly led: LedCommand | undefined
  readonly ssid: string | undefined
  /** Why an app asks for Wi-Fi; empty without a reason. */
  readonly wifiRequest: string | undefined
  readonly faults: Faults
  /** The latest photos, newest first. */
  readonly photos: readonly Photo[]
  /** The latest sounds, newest first. */
  readonly sounds: readonly Sound[]
  readonly frames: readonly LoggedFrame[]
  readonly starts: StartTimeline['moments']
  /** The latest utterances, oldest first, with the time until the lens showed something. */
  readonly utterances: readonly Utterance[]
  readonly replay: ReplayState
}

export const NO_FAULTS: Faults = {
  latencyMs: 0,
  bytesPerSecond: undefined,
  losesAnswers: false,
  refusesPhotos: false,
  hasBrokenLed: false,
}

export const EMPTY_DISPLAY = {
  view: 'main' as View,
  lines: [],
  layout: { layoutType: 'clear_view' as const },
  headUp: false,
}
