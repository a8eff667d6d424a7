import type { CloudToGlasses, Message } from '@glasses-cloud/contract'
import type { PlayedAudio } from './audio/audio-player.ts'
import type { PhotoOutcome } from './camera/photo-request.ts'
import type { Display } from './display/display.ts'
import type { LedCommand } from './led.ts'
import type { CloseInfo } from './socket/close-info.ts'

/** A message of one type from the cloud. */
export type FromCloud<Type extends CloudToGlasses['type']> = Extract<CloudToGlasses, { type: Type }>

/** What a simulated pair of glasses tells its listeners. */
export interface GlassesEvents {
  /** Every acknowledgement; the first of a connection means that the session is there. */
  ack: [FromCloud<'connection_ack'>]
  /** Every `display_event`, drawn or not. */
  display: [FromCloud<'display_event'>]
  /** What the wearer sees changed. */
  lens: [Display]
  appStateChange: [FromCloud<'app_state_change'>]
  appStarted: [FromCloud<'app_started'>]
  appStopped: [FromCloud<'app_stopped'>]
  /** The cloud switched the microphone. */
  microphone: [{ readonly on: boolean; readonly requiredData: readonly string[] }]
  photoRequest: [Message]
  /** A photo request was answered; nothing is said of one that was ignored. */
  photo: [PhotoOutcome]
  /** A sound that an app asked for is over, played or not. */
  sound: [PlayedAudio]
  /** The light did what an app wanted. */
  light: [LedCommand]
  /** An app wants the wearer to set up Wi-Fi; `joinWifi` does. */
  wifiSetup: [Message]
  /** Every message, known or not, in its flat form. */
  message: [Message]
  /** The connection, or an attempt at one, ended. */
  close: [CloseInfo]
  /** The next attempt comes after `delayMs`. */
  reconnecting: [{ readonly attempt: number; readonly delayMs: number }]
  /** Trouble that needs no answer: a network error, a frame that is no message. Harmless without a listener. */
  error: [Error]
}
