import { type CloudToGlasses, type Permission, PHONE_PACKAGE } from '@glasses-cloud/contract'
import type { GlassesHandlers, SessionContext, SessionPart } from './part.ts'

type StreamStatus = Extract<CloudToGlasses, { type: 'rtmp_stream_status' | 'managed_stream_status' }>

/** Mini-apps have all permissions: the phone asks the user itself. */
const ALL_PERMISSIONS: readonly Permission[] = [{ type: 'ALL' }]

/** All mini-apps on the phone as one client of the camera streams. Its messages use the glasses socket. */
export const phoneClient = {
  packageName: PHONE_PACKAGE,
  definition: { permissions: ALL_PERMISSIONS },
} as const

/**
 * Handles the subscriptions of mini-apps on the phone (glasses-socket.md §2.1). They count like those of any app, also
 * for the microphone and the location; their frames are sent on the glasses socket.
 */
export class PhoneApps implements SessionPart {
  static readonly glassesHandlers: GlassesHandlers<PhoneApps> = {
    phone_subscription_update: (part, { subscriptions }) => {
      part.#context.subscriptions.replace(PHONE_PACKAGE, subscriptions, ALL_PERMISSIONS)
      part.#changed()
    },
  }

  readonly #context: SessionContext

  constructor(context: SessionContext) {
    this.#context = context
  }

  /** Drops the subscriptions: phones send theirs again after each acknowledgement, and this may be another phone. */
  onGlassesConnected(): void {
    const { subscriptions } = this.#context
    if (subscriptions.get(PHONE_PACKAGE).length === 0) return
    subscriptions.remove(PHONE_PACKAGE)
    this.#changed()
  }

  #changed(): void {
    this.#context.forEachPart((part) => part.onSubscriptionsChanged?.())
  }
}

/** Sends a stream status to the phone under the names that older and newer phones expect (PAP-6). */
export function sendStreamStatusToPhone({ sendToGlasses }: SessionContext, status: StreamStatus): void {
  sendToGlasses(status)
  if (status.type === 'rtmp_stream_status') sendToGlasses({ ...status, type: 'stream_status' })
}
