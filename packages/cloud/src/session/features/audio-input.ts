import type { AudioFormat, OsSettings } from '@glasses-cloud/contract'
import { AudioRing, type RecentAudio } from '../audio-ring.ts'
import type { DeviceChange } from '../device.ts'
import { Microphone } from '../microphone.ts'
import type { SessionContext, SessionFeature } from './feature.ts'

/** The sound of the room: asked for when an app needs it, kept for seconds, passed on as it comes. */
export class AudioInput implements SessionFeature {
  readonly #context: SessionContext
  readonly #microphone: Microphone
  readonly #ring: AudioRing
  /** The wearer wants silence sent too. */
  #bypassVad: boolean
  #undecodableLogged = false

  /** @param os the OS settings as they are */
  constructor(context: SessionContext, os: OsSettings) {
    this.#context = context
    const { clock, timing, userSessionId } = context
    this.#ring = new AudioRing(clock)
    this.#bypassVad = os.bypassVad === true
    this.#microphone = new Microphone(
      { clock, timing, sessionId: userSessionId, send: (message) => context.sendToGlasses(message) },
      this.#bypassVad,
    )
  }

  /**
   * The phone says what its binary frames hold, which counts for the connection that is open.
   * @returns false if there is none
   */
  setFormat(format: AudioFormat): boolean {
    const taken = this.#context.setAudioFormat(format)
    if (taken) this.#context.log('audio_configured', { ...format })
    this.#undecodableLogged = false
    return taken
  }

  /** PCM from the glasses, whole samples. The same bytes go to every app that listens. */
  receive(frame: Uint8Array): void {
    this.#microphone.heard()
    this.#ring.push(frame)
    const { subscriptions, apps } = this.#context
    subscriptions.forEachMatch('audio_chunk', {}, (packageName) =>
      apps.get(packageName)?.peer?.sendAudio(frame),
    )
  }

  /** Frames from the glasses could not be decoded. They come fifty times a second, so it is logged once. */
  receiveUndecodable(): void {
    this.#microphone.heard()
    this.#ring.undecodable()
    if (!this.#undecodableLogged) this.#context.log('audio_undecodable')
    this.#undecodableLogged = true
  }

  /** The last seconds. */
  recent(): RecentAudio {
    return this.#ring.read()
  }

  onSubscriptionsChanged(): void {
    this.#updateMicrophone()
  }

  onOsSettingsChanged({ bypassVad }: OsSettings): void {
    this.#bypassVad = bypassVad === true
    this.#updateMicrophone()
  }

  onGlassesConnected(): void {
    this.#undecodableLogged = false
    this.#microphone.resync()
  }

  onDeviceChanged({ glassesChanged }: DeviceChange): void {
    if (glassesChanged && this.#context.device.connected) this.#microphone.resync()
  }

  #updateMicrophone(): void {
    const { subscriptions } = this.#context
    this.#microphone.want(
      subscriptions.requiresAudio,
      this.#bypassVad || subscriptions.hasSubscribers('audio_chunk'),
    )
  }
}
