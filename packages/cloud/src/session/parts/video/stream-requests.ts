import {
  type AppToCloud,
  type CloudToApp,
  grants,
  PHONE_PACKAGE,
  SHORT_LINE_PATTERN,
} from '@glasses-cloud/contract'
import type { AppSession } from '../../apps/app-session.ts'
import { LazyMap, LazySet } from '../../lazy-collections.ts'
import type { Peer } from '../../peer.ts'
import type { AppDefinition } from '../../ports.ts'
import type { SessionContext } from '../part.ts'
import { sendStreamStatusToPhone } from '../phone-apps.ts'
import type { Encoding } from './glasses-stream.ts'
import { parseOutputUrl } from './output-url.ts'
import type { OutputRequest } from './outputs.ts'

export type ManagedStreamRequest = Extract<AppToCloud, { type: 'managed_stream_request' }>

const MAX_DEFAULT_NAME_LENGTH = 100

const resolutions: Readonly<Record<string, { width: number; height: number }>> = {
  '720p': { width: 1_280, height: 720 },
  '1080p': { width: 1_920, height: 1_080 },
}

const outputName = new RegExp(SHORT_LINE_PATTERN)

/** The encoder settings of a request; `video` takes precedence over `quality`. */
export function encodingOf({ quality, video, audio, stream }: ManagedStreamRequest): Encoding {
  return { video: { ...resolutions[quality ?? ''], ...video }, audio, stream }
}

/**
 * Parses the output that an app requests. Its name defaults to the host of the URL.
 * @returns undefined if the URL or the name is invalid
 */
export function parseOutputRequest(url: string, name: string | undefined): OutputRequest | undefined {
  const parsed = parseOutputUrl(url)
  if (!parsed || (name !== undefined && !outputName.test(name))) return undefined
  return { url: parsed, name: name ?? parsed.host.slice(0, MAX_DEFAULT_NAME_LENGTH) }
}

/** @returns undefined if any of the destinations is invalid */
export function parseDestinations(
  destinations: NonNullable<ManagedStreamRequest['restreamDestinations']>,
): OutputRequest[] | undefined {
  const requests = destinations.map(({ url, name }) => parseOutputRequest(url, name ?? undefined))
  return requests.every((request) => request !== undefined) ? requests : undefined
}

/** A client that requests streams: a running app, or all mini-apps on the phone as one. */
export interface StreamClient {
  readonly packageName: string
  readonly definition: Pick<AppDefinition, 'permissions'> | undefined
}

/** Why a stream request is rejected. */
export interface StreamRejection {
  readonly code: string
  readonly message: string
}

/** Checks whether the client may stream and the glasses can (glasses-socket.md §4.3); undefined if so. */
export function streamRejection(
  context: SessionContext,
  { definition }: StreamClient,
): StreamRejection | undefined {
  const { device, isGlassesSocketOpen } = context
  if (!grants(definition?.permissions ?? [], 'CAMERA'))
    return { code: 'PERMISSION_DENIED', message: 'The app does not declare the permission CAMERA' }
  if (!isGlassesSocketOpen())
    return { code: 'PHONE_DISCONNECTED', message: 'The phone is not connected to the cloud' }
  if (device.isDisconnected)
    return { code: 'GLASSES_DISCONNECTED', message: 'The glasses are not connected to the phone' }
  if (device.capabilities?.hasCamera === false)
    return { code: 'NO_CAMERA', message: `The glasses have no camera (${device.modelName})` }
  if (device.capabilities?.hasWifi && device.state.wifiConnected !== true)
    return { code: 'WIFI_NOT_CONNECTED', message: 'The glasses are not connected to Wi-Fi' }
  return undefined
}

/** A status of a stream for an app. */
export type StreamStatusMessage = Extract<
  CloudToApp,
  { type: 'rtmp_stream_status' | 'managed_stream_status' }
>

/**
 * Sends stream statuses to apps and to the phone. The app SDK assumes that it is streaming until it receives a status,
 * so the last one is sent again to a client that reconnected (STR-14).
 */
export class StreamNotifier {
  readonly #context: SessionContext
  /** The apps that use the message names of SDK 3, by package name. */
  readonly #renamed = new LazySet<string>()
  /** The last status of each type, by package name. */
  readonly #last = new LazyMap<string, Map<StreamStatusMessage['type'], StreamStatusMessage>>()

  constructor(context: SessionContext) {
    this.#context = context
  }

  /** Sets whether the statuses of an app's direct stream are sent as `stream_status`. */
  rename(packageName: string, isRenamed: boolean): void {
    if (isRenamed) this.#renamed.add(packageName)
    else this.#renamed.delete(packageName)
  }

  notify(packageName: string, message: StreamStatusMessage): void {
    const last = this.#last.get(packageName) ?? new Map()
    this.#last.set(packageName, last.set(message.type, message))
    if (packageName === PHONE_PACKAGE) sendStreamStatusToPhone(this.#context, message)
    else this.#context.apps.get(packageName)?.peer?.send(this.#named(packageName, message))
  }

  /** Sends a status unless it equals the last one of its type, apart from the timestamp. */
  notifyIfChanged(packageName: string, message: StreamStatusMessage): void {
    const last = this.#last.get(packageName)?.get(message.type)
    if (last && isSameStatus(last, message)) return
    this.notify(packageName, message)
  }

  appConnected({ packageName }: AppSession, peer: Peer): void {
    for (const message of this.#last.get(packageName)?.values() ?? [])
      peer.send(this.#named(packageName, message))
  }

  phoneConnected(): void {
    for (const message of this.#last.get(PHONE_PACKAGE)?.values() ?? [])
      sendStreamStatusToPhone(this.#context, message)
  }

  /** Forgets the last statuses of an app that stopped. */
  reset(packageName: string): void {
    this.#last.delete(packageName)
    this.#renamed.delete(packageName)
  }

  #named(packageName: string, message: StreamStatusMessage): CloudToApp {
    const isRenamed = message.type === 'rtmp_stream_status' && this.#renamed.has(packageName)
    return isRenamed ? { ...message, type: 'stream_status' } : message
  }
}

function isSameStatus(one: StreamStatusMessage, other: StreamStatusMessage): boolean {
  return JSON.stringify({ ...one, timestamp: '' }) === JSON.stringify({ ...other, timestamp: '' })
}
