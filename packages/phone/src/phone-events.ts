import type { CloudToGlasses, Message } from '@glasses-cloud/contract'
import type { DeviceEvents, Gesture, Link, Page } from './adapter/glasses-adapter.ts'
import type { Display } from './pages/display.ts'
import type { PlayedAudio } from './requests/audio-player.ts'
import type { CloseInfo } from './socket/reconnecting-socket.ts'

/** A message of one type from the cloud. */
export type CloudMessage<Type extends CloudToGlasses['type']> = Extract<CloudToGlasses, { type: Type }>

/** A frame on the socket. */
export interface Frame {
  readonly direction: 'sent' | 'received'
  /** The text, or the number of bytes of microphone audio. */
  readonly content: string | number
}

/** Events of a phone. */
export interface PhoneEvents extends DeviceEvents {
  /** Every acknowledgement; the first one of a connection means that the session is ready. */
  ack: [CloudMessage<'connection_ack'>]
  /** Every `display_event`, whether or not it changes the display. */
  displayEvent: [CloudMessage<'display_event'>]
  /** The visible content of the display changed. */
  displayChange: [Display]
  /** A page was handed to the glasses. */
  page: [Page]
  /** Whether the cloud recognizes and translates speech. */
  transcriptionStatus: [CloudMessage<'transcription_status'>]
  appStateChange: [CloudMessage<'app_state_change'>]
  appStarted: [CloudMessage<'app_started'>]
  appStopped: [CloudMessage<'app_stopped'>]
  /** Every `microphone_state_change`, and the reset when a connection closes. */
  microphone: [{ readonly on: boolean; readonly requiredData: readonly string[] }]
  /** The link between phone and glasses changed. */
  link: [Link]
  battery: [{ readonly level: number; readonly charging: boolean }]
  gesture: [Gesture]
  worn: [boolean]
  /** The playback of audio from an app ended, successfully or not. */
  audioPlayed: [PlayedAudio]
  /** Every frame that was sent or received, as it is on the wire. */
  frame: [Frame]
  /** Every message, known or unknown, in its flat form. */
  message: [Message]
  /** The connection, or an attempt to connect, ended. */
  close: [CloseInfo]
  /** The next attempt to connect starts after `delayMs`. */
  reconnecting: [{ readonly attempt: number; readonly delayMs: number }]
  /** A non-fatal error: the network, an invalid frame, a rejected response. Does not throw without a listener. */
  error: [Error]
}
