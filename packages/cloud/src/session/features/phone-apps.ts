import { type CloudToGlasses, type Permission, phonePackage } from '@glasses-cloud/contract'
import type { GlassesHandlers, SessionContext, SessionFeature } from './feature.ts'

type StreamStatus = Extract<CloudToGlasses, { type: 'rtmp_stream_status' | 'managed_stream_status' }>

/** The phone asks its wearer itself what a mini-app may have. */
const everything: readonly Permission[] = [{ type: 'ALL' }]

/**
 * All mini-apps on the phone, which the session takes for one app that has the glasses' own socket. As a client of
 * streams it needs no more than a name and its permissions.
 */
export const phoneClient = { packageName: phonePackage, app: { permissions: everything } } as const

/**
 * Takes the subscriptions of the mini-apps on the phone (glasses socket protocol, 2.1). They count like those of any
 * app, for the microphone and the location as well; frames for them go back on the glasses' socket.
 */
export class PhoneApps implements SessionFeature {
  readonly #context: SessionContext
  readonly #changed: () => void
  static readonly glassesHandlers: GlassesHandlers<PhoneApps> = {
    phone_subscription_update: (feature, { subscriptions }) => {
      feature.#context.subscriptions.replace(phonePackage, subscriptions, everything)
      feature.#changed()
    },
  }

  /** @param changed the phone listens to something else now */
  constructor(context: SessionContext, changed: () => void) {
    this.#context = context
    this.#changed = changed
  }

  /** Phones give their list again after each acknowledgement; what another phone wanted does not count any more. */
  onGlassesConnected(): void {
    const { subscriptions } = this.#context
    if (subscriptions.get(phonePackage).length === 0) return
    subscriptions.remove(phonePackage)
    this.#changed()
  }
}

/** Tells the phone how a stream of its mini-apps stands, by the names that older and newer phones know. */
export function sendStreamStatusToPhone({ sendToGlasses }: SessionContext, status: StreamStatus): void {
  sendToGlasses(status)
  if (status.type === 'rtmp_stream_status') sendToGlasses({ ...status, type: 'stream_status' })
}
