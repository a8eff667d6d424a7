import type {
  AppToCloud,
  AudioFormat,
  CloseFrame,
  CloudToApp,
  CloudToGlasses,
  GlassesToCloud,
  PhoneSettings,
  StreamFacets,
  Subscription,
} from '@glasses-cloud/contract'
import type { Clock } from '../../time/index.ts'
import type { AppSession } from '../apps/app-session.ts'
import type { AppSessions } from '../apps/app-sessions.ts'
import type { Command, Commands } from '../command.ts'
import type { Device, DeviceChange } from '../device.ts'
import type { PhoneConnection } from '../glasses-link.ts'
import { LazyMap } from '../lazy-collections.ts'
import type { Peer } from '../peer.ts'
import type { AppDefinition, Random, SessionLog, SessionPorts } from '../ports.ts'
import type { Subscriptions } from '../subscriptions.ts'
import type { SessionTiming } from '../timing.ts'

/** What a user session offers to its parts. */
export interface SessionContext {
  readonly userSessionId: string
  /** The `userId` of messages on the app socket (docs/glossary.md). */
  readonly userEmail: string
  /** The package name of the system dashboard, under which the cloud itself draws. */
  readonly systemPackage: string
  /** Whether the session existed before the process started, so that the glasses may still show something. */
  readonly isResumed: boolean
  /** The phone settings that were stored when the session started. */
  readonly phoneSettings: PhoneSettings
  /** Whether a package may read recent audio, for which phones send PCM also while they recognize speech (MIC-11). */
  readonly offersRecentAudio: boolean
  readonly clock: Clock
  readonly timing: SessionTiming
  readonly random: Random
  readonly log: SessionLog
  readonly ports: SessionPorts
  readonly apps: AppSessions
  readonly subscriptions: Subscriptions
  readonly device: Device
  /** Returns another part. In a constructor only those that `SESSION_PARTS` lists before it exist. */
  part<Part extends object>(type: new (context: SessionContext) => Part): Part
  /** Calls a hook of every part. */
  forEachPart(call: (part: SessionPart) => void): void
  isGlassesSocketOpen(): boolean
  /** The phone with the open glasses socket, and one that was refused because of it. */
  phones(): {
    readonly connected: PhoneConnection | undefined
    readonly refused: PhoneConnection | undefined
  }
  /** Sends to the glasses; drops the message if no socket is open. */
  sendToGlasses(message: CloudToGlasses): void
  /** Sets the format of binary frames on the open glasses socket; returns false if none is open. */
  setAudioFormat(format: AudioFormat): boolean
  /** Sends the result of `messageFor` to every connected app. */
  sendToApps(messageFor: (session: AppSession) => CloudToApp): void
  /** Publishes a frame of a stream to every subscriber, under the subscriber's own subscription string; see `StreamPublisher`. */
  publish(stream: string, facets: StreamFacets, data: object, replacementKey?: string, begunAt?: number): void
  /** The current time, ISO 8601. */
  timestamp(): string
  /** Returns a random id of letters and digits. */
  createId(): string
  /** Runs a task that is called from outside the session. An exception ends the session and is not thrown. */
  guard(task: () => void): void
  isEnded(): boolean
  /** Ends the session: closes its sockets with the code. */
  end(frame: CloseFrame): void
}

/** Parameters of a method, unlike those of a function type, may be narrower than those of the type it is assigned to. */
type GlassesHandler<Part, Message> = { handle(part: Part, message: Message): void }['handle']
type AppHandler<Part, Message> = { handle(part: Part, message: Message, app: AppSession): void }['handle']

/** The handlers of a part for messages from the glasses, by message type. */
export type GlassesHandlers<Part> = {
  readonly [Type in GlassesToCloud['type']]?: GlassesHandler<Part, Extract<GlassesToCloud, { type: Type }>>
}

/** The handlers of a part for messages from apps, by message type. `app` is the session that owns the socket. */
export type AppHandlers<Part> = {
  readonly [Type in AppToCloud['type']]?: AppHandler<Part, Extract<AppToCloud, { type: Type }>>
}

/**
 * The class of a part, which declares in static tables what the part receives: the messages of the glasses and of apps,
 * and the commands of the rest of the cloud. `SESSION_PARTS` lists the classes; a message type and a command belong to
 * one part.
 */
export interface PartClass {
  readonly name: string
  new (context: SessionContext): object
  readonly glassesHandlers?: Readonly<Record<string, GlassesHandler<object, GlassesToCloud> | undefined>>
  readonly appHandlers?: Readonly<Record<string, AppHandler<object, AppToCloud> | undefined>>
  readonly commands?: Commands
}

/** The hooks of a part: what it does when something happens in the session. */
export interface SessionPart {
  /** Called after glasses connected and were acknowledged. */
  onGlassesConnected?(): void
  /** Called when another phone of the user was refused, the first time in a conflict between them. */
  onPhoneRefused?(): void
  /** Called right before the webhook of an app is called for its first start. */
  onAppLaunch?(definition: AppDefinition): void
  /** Called after an app connected and was acknowledged. */
  onAppConnected?(session: AppSession, peer: Peer): void
  /** Called after an app entered the phase `running`. */
  onAppStarted?(session: AppSession): void
  /** Called after the definition of an app was replaced, because the app was edited. */
  onAppUpdated?(session: AppSession): void
  /** Called when an app fails to start again and again. @param isGivenUp whether later sessions do not start it either */
  onAppUnresponsive?(session: AppSession, isGivenUp: boolean): void
  /** Called when an app stopped or is restarted: drops the state of its app session. */
  onAppReset?(packageName: string): void
  /** Called after subscriptions changed; `session` is the app if it sent a new list. */
  onSubscriptionsChanged?(session?: AppSession): void
  onPhoneSettingsChanged?(settings: PhoneSettings): void
  onDeviceChanged?(change: DeviceChange): void
  /** Called when the session ended: its timers are canceled, its sockets close next. */
  onSessionEnded?(): void
}

/** The handler of a message type, and the index of its part in the list of part classes. */
interface MessageRoute<Handler> {
  readonly partIndex: number
  readonly handle: Handler
}

/**
 * Returns the route of each message type.
 * @param tableOf returns the handlers of a part for one kind of client
 * @throws Error when two parts handle the same type
 */
export function routesOf<Handler>(
  parts: readonly PartClass[],
  tableOf: (part: PartClass) => Readonly<Record<string, Handler | undefined>> | undefined,
): ReadonlyMap<string, MessageRoute<Handler>> {
  const routes = new Map<string, MessageRoute<Handler>>()
  for (const [partIndex, part] of parts.entries()) {
    for (const [type, handle] of Object.entries(tableOf(part) ?? {})) {
      const other = parts[routes.get(type)?.partIndex ?? -1]
      if (other) throw new Error(`${part.name} and ${other.name} both handle ${type}`)
      if (handle) routes.set(type, { partIndex, handle })
    }
  }
  return routes
}

/** A command, and the index of its part in the list of part classes. */
export interface PartCommand extends Command {
  readonly partIndex: number
}

/** Returns the commands of parts by name. @throws Error when two parts have commands of the same name */
export function commandsOf(parts: readonly PartClass[]): ReadonlyMap<string, PartCommand> {
  const commands = new Map<string, PartCommand>()
  for (const [partIndex, part] of parts.entries()) {
    for (const [name, command] of Object.entries(part.commands ?? {})) {
      const other = parts[commands.get(name)?.partIndex ?? -1]
      if (other) throw new Error(`${part.name} and ${other.name} both have the command ${name}`)
      commands.set(name, { ...command, partIndex })
    }
  }
  return commands
}

/**
 * Detects new subscriptions to certain streams, whose subscribers receive the last value once. Each connection of an
 * app starts without subscriptions, because its process may have restarted.
 */
export class SubscriptionTracker {
  readonly #subscriptions: Subscriptions
  readonly #streams: readonly string[]
  /** Subscription strings by package name. */
  readonly #known = new LazyMap<string, ReadonlySet<string>>()

  constructor(subscriptions: Subscriptions, streams: readonly string[]) {
    this.#subscriptions = subscriptions
    this.#streams = streams
  }

  /** Returns the app's subscriptions that are new since the last call. */
  takeNew({ packageName }: AppSession): Subscription[] {
    const current = this.#subscriptions
      .get(packageName)
      .filter(({ stream }) => this.#streams.includes(stream))
    const known = this.#known.get(packageName)
    if (current.length === 0) this.#known.delete(packageName)
    else this.#known.set(packageName, new Set(current.map(({ raw }) => raw)))
    return current.filter(({ raw }) => !known?.has(raw))
  }

  /** Treats all subscriptions of the app as new. */
  reset(packageName: string): void {
    this.#known.delete(packageName)
  }
}
