import {
  type AudioDropReason,
  type AudioFormat,
  audioFormat,
  type PhoneSettings,
} from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { AppSession } from '../apps/app-session.ts'
import { AudioRing, PCM_BYTES_PER_SECOND, type RecentAudio, recentAudio } from '../audio-ring.ts'
import { command } from '../command.ts'
import type { DeviceChange } from '../device.ts'
import { Microphone, type MicrophoneData, requiredData, type SpeechRecognition } from '../microphone.ts'
import type { SessionContext, SessionPart } from './part.ts'

/** Audio from the glasses: requested while an app needs it, kept for seconds, and forwarded to subscribers. */
export class AudioInput implements SessionPart {
  static readonly commands = {
    /** Sets the format of binary frames on the glasses socket; returns false if no glasses are connected. */
    configureAudio: command([audioFormat], Type.Boolean(), (audio: AudioInput, format) =>
      audio.setFormat(format),
    ),
    /** Returns the audio of the last seconds. */
    recentAudio: command([], recentAudio, (audio: AudioInput) => audio.recent()),
  }

  readonly #context: SessionContext
  readonly #microphone: Microphone
  readonly #ring: AudioRing
  #settings: PhoneSettings
  #recognition: SpeechRecognition = 'phone'
  #wakeWordNeeds = { audio: false, speech: false }
  #undecodableLogged = false

  constructor(context: SessionContext) {
    this.#context = context
    const { clock, timing, userSessionId } = context
    this.#ring = new AudioRing(clock)
    this.#settings = context.phoneSettings
    this.#microphone = new Microphone(
      { clock, timing, sessionId: userSessionId, send: (message) => context.sendToGlasses(message) },
      this.#settings.os.bypassVad === true,
    )
  }

  /** Sets where speech is recognized; initially on the phone. */
  setRecognition(recognition: SpeechRecognition): void {
    this.#recognition = recognition
    this.#updateMicrophone()
  }

  /** Sets whether wake words require audio or a transcription; initially neither. */
  setWakeWordNeeds(needs: { readonly audio: boolean; readonly speech: boolean }): void {
    this.#wakeWordNeeds = needs
    this.#updateMicrophone()
  }

  /**
   * Sets the format of binary frames on the open glasses socket.
   * @returns false if no glasses are connected
   */
  setFormat(format: AudioFormat): boolean {
    const applied = this.#context.setAudioFormat(format)
    if (applied) this.#context.log('audio_configured', { ...format })
    this.#undecodableLogged = false
    return applied
  }

  /** Handles a frame of PCM (whole samples). Every subscriber is sent the same Buffer (MIC-20). */
  receive(frame: Uint8Array): void {
    this.#microphone.onAudioReceived()
    this.#ring.push(frame)
    const { subscriptions, apps } = this.#context
    subscriptions.forEachMatch('audio_chunk', {}, (packageName) => {
      const app = apps.get(packageName)
      const droppedBytes = app?.peer?.sendAudio(frame) ?? 0
      if (app && droppedBytes > 0)
        this.#sendDropped(app, 'slow_reader', (droppedBytes / PCM_BYTES_PER_SECOND) * 1_000)
    })
  }

  /** Handles audio that the glasses sent beyond their budget: the apps that listen are told what is missing. */
  reportDropped(ms: number): void {
    const { subscriptions, apps, log } = this.#context
    log('audio_dropped', { ms: Math.round(ms) })
    const listening = new Set<string>()
    for (const stream of ['audio_chunk', 'transcription', 'translation'])
      subscriptions.forEach(stream, (packageName) => listening.add(packageName))
    for (const packageName of listening) {
      const app = apps.get(packageName)
      if (app) this.#sendDropped(app, 'rate_limited', ms)
    }
  }

  /** Handles a frame that could not be decoded. Frames arrive fifty times a second, so the failure is logged once. */
  receiveUndecodable(): void {
    this.#microphone.onAudioReceived()
    this.#ring.recordUndecodable()
    if (!this.#undecodableLogged) this.#context.log('audio_undecodable')
    this.#undecodableLogged = true
  }

  /** What the microphone is on for; empty while it is off. */
  get microphone(): readonly MicrophoneData[] {
    return this.#microphone.data
  }

  recent(): RecentAudio {
    return this.#ring.read()
  }

  onSubscriptionsChanged(): void {
    this.#updateMicrophone()
  }

  onPhoneSettingsChanged(settings: PhoneSettings): void {
    this.#settings = settings
    this.#updateMicrophone()
  }

  onGlassesConnected(): void {
    this.#undecodableLogged = false
    this.#microphone.resync()
  }

  onDeviceChanged({ glassesChanged }: DeviceChange): void {
    if (glassesChanged && this.#context.device.connected) this.#microphone.resync()
  }

  #sendDropped(app: AppSession, reason: AudioDropReason, ms: number): void {
    const timestamp = this.#context.timestamp()
    const frame = { type: 'audio_dropped', reason, durationMs: Math.round(ms), timestamp }
    app.sendStream({ sessionId: app.sessionId, streamType: frame.type, timestamp }, JSON.stringify(frame))
  }

  #updateMicrophone(): void {
    const { subscriptions, offersRecentAudio } = this.#context
    const { os, offlineMode } = this.#settings
    const needsAudio = subscriptions.hasSubscribers('audio_chunk')
    const data = requiredData({
      needsAudio: needsAudio || this.#wakeWordNeeds.audio,
      needsSpeech: subscriptions.requiresSpeech || this.#wakeWordNeeds.speech,
      offersRecentAudio,
      recognition: this.#recognition,
      localOnly: os.enforceLocalTranscription === true || offlineMode,
    })
    this.#microphone.require(data, needsAudio || os.bypassVad === true)
  }
}
