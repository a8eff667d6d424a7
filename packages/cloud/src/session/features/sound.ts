import { AudioRing, type RecentAudio } from '../audio-ring.ts'
import type { DeviceChange } from '../device.ts'
import { Microphone } from '../microphone.ts'
import type { SessionContext, SessionFeature } from './feature.ts'

/** The sound of the room: asked for when an app needs it, kept for seconds, passed on as it comes. */
export class Sound implements SessionFeature {
  readonly #context: SessionContext
  readonly #microphone: Microphone
  readonly #ring: AudioRing

  constructor(context: SessionContext) {
    this.#context = context
    const { clock, timing, userSessionId } = context
    this.#ring = new AudioRing(clock)
    this.#microphone = new Microphone({
      clock,
      timing,
      sessionId: userSessionId,
      send: (message) => context.toGlasses(message),
    })
  }

  /** PCM from the glasses, whole samples. The same bytes go to every app that listens. */
  hear(frame: Uint8Array): void {
    this.#microphone.heard()
    this.#ring.push(frame)
    const { subscriptions, apps } = this.#context
    subscriptions.forEachMatch('audio_chunk', {}, (packageName) =>
      apps.get(packageName)?.peer?.sendAudio(frame),
    )
  }

  /** A frame from the glasses that could not be decoded. */
  hearUndecodable(): void {
    this.#microphone.heard()
    this.#ring.undecodable()
  }

  /** The last seconds. */
  recent(): RecentAudio {
    return this.#ring.read()
  }

  subscriptionsChanged(): void {
    const { subscriptions } = this.#context
    this.#microphone.want(subscriptions.needAudio, subscriptions.has('audio_chunk'))
  }

  glassesAttached(): void {
    this.#microphone.resync()
  }

  deviceChanged({ glasses }: DeviceChange): void {
    if (glasses && this.#context.device.connected) this.#microphone.resync()
  }
}
