import { grants } from '@glasses-cloud/contract'
import type { AppDefinition } from '../../ports.ts'
import type { SessionContext } from '../part.ts'

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
