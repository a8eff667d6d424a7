import type { Message } from '@glasses-cloud/contract'
import type { PhoneApi } from '../phone-api.ts'
import type { DeviceEvents } from './device-events.ts'

/** What a device needs to serve the requests of the cloud. */
export interface ServedPhone {
  readonly api: PhoneApi
  /** Reports a request, or what became of it. */
  report<Name extends keyof DeviceEvents>(event: Name, ...details: DeviceEvents[Name]): void
  /** Sends a message on the socket; drops it if the connection is closed. */
  send(message: Message): void
  /** Reports a request that could not be answered. */
  fail(error: Error): void
}

/** The part of a device that serves requests of the cloud: photos, video, LED, Wi-Fi. */
export interface RequestHandler {
  /** Handles a request; ignores other messages. */
  handle(message: Message): void
  /** Ends what is in progress. */
  close(): Promise<void>
}
