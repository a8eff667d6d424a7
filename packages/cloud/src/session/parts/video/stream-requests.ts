import { type AppToCloud, grants, SHORT_LINE_PATTERN } from '@glasses-cloud/contract'
import type { AppDefinition } from '../../ports.ts'
import type { SessionContext } from '../part.ts'
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
