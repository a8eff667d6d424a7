import { AppMessages } from './app-messages/app-messages.ts'
import { AudioInput } from './audio-input.ts'
import { AudioOutput } from './audio-output.ts'
import { Buttons } from './buttons.ts'
import { Calendar } from './calendar.ts'
import { Dashboard } from './dashboard.ts'
import { DateTime } from './date-time.ts'
import { DisplayEvents } from './display-events.ts'
import { GlassesDevice } from './glasses-device.ts'
import { Led } from './led.ts'
import { Lifecycle } from './lifecycle.ts'
import { Location } from './location.ts'
import { Notifications } from './notifications.ts'
import { commandsOf, type PartClass } from './part.ts'
import { PhoneApps } from './phone-apps.ts'
import { Photos } from './photos.ts'
import { Settings } from './settings.ts'
import { Speech } from './speech/speech.ts'
import { SubscriptionUpdates } from './subscription-updates.ts'
import { Transcription } from './transcription.ts'
import { VideoStreams } from './video/video-streams.ts'
import { WifiSetup } from './wifi-setup.ts'

/** The parts of a session, in the order in which they are created and their hooks are called. */
export const SESSION_PARTS = [
  Lifecycle,
  SubscriptionUpdates,
  PhoneApps,
  GlassesDevice,
  AudioInput,
  Transcription,
  Speech,
  DisplayEvents,
  Photos,
  Settings,
  VideoStreams,
  Location,
  Calendar,
  Notifications,
  DateTime,
  AudioOutput,
  Led,
  WifiSetup,
  Dashboard,
  AppMessages,
  Buttons,
] as const satisfies readonly PartClass[]

type CommandsOf<Part> = Part extends { readonly commands: infer Table } ? Table : never
type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

/** The commands of all parts, by name. */
export type SessionCommands = Intersection<CommandsOf<(typeof SESSION_PARTS)[number]>>

export const SESSION_COMMANDS = commandsOf(SESSION_PARTS)
