import { type AudioFormat, findCapabilities } from '@glasses-cloud/contract'
import { takePicture } from '#platform'
import type { Gesture, Wifi } from '../adapter/glasses-adapter.ts'
import { systemClock } from '../clock.ts'
import { Phone } from '../phone.ts'
import type { PhoneOptions } from '../phone-options.ts'
import type { TakePicture } from '../platform/platform.ts'
import { CAMERA_BUTTON } from './camera/own-photo.ts'
import type { CameraBehavior, PhotoOutcome } from './camera/photo-request.ts'
import type { StreamingBehavior, StreamingCamera, StreamMessageNames } from './camera/streaming-camera.ts'
import type { Led } from './led.ts'
import type { SpeechOptions } from './local-transcription.ts'
import type { AudioSent, SendAudioOptions } from './send-audio.ts'
import { DEFAULT_DISPLAY_SIZE, type DisplaySize, SimulatedGlasses } from './simulated-glasses.ts'
import { SimulatedMicrophone, type SpeechSent } from './simulated-microphone.ts'

/** Options of simulated glasses with their phone. Only `url` and `token` are required. */
export interface GlassesOptions extends PhoneOptions {
  /** Model of the glasses; `null` for a phone without glasses. `Simulated Glasses` by default. */
  readonly model?: string | null
  /** Reported together with the model, for glasses with Wi-Fi. */
  readonly wifi?: Wifi
  /** How photo requests are handled; `{ kind: 'direct' }` by default. */
  readonly camera?: CameraBehavior
  /** How stream requests are handled; `{ kind: 'stream' }` by default, which sends no video. */
  readonly streaming?: StreamingBehavior
  /** Stream message names the phone supports: `rtmp` by default, `generic` for newer phones. */
  readonly streamMessageNames?: StreamMessageNames
  /**
   * Format of microphone audio. Newer phones configure it over REST after each acknowledgement. Without it, PCM is sent
   * and nothing is configured, as by older phones and headless clients.
   */
  readonly audioFormat?: AudioFormat
  readonly display?: Partial<DisplaySize>
  /** The camera; by default it draws test pictures. */
  readonly takePicture?: TakePicture
}

/**
 * Simulated glasses with their phone, and the actions of the wearer: speak, press a button, look up.
 *
 * @example
 * const glasses = new Glasses({ url: 'http://127.0.0.1:8080', token })
 * await glasses.connect()
 * await glasses.api.startApp('dev.example.captions')
 * await glasses.speak('Hello')
 * await glasses.waitForDisplay('Hello')
 */
export class Glasses extends Phone {
  readonly #device: SimulatedGlasses
  readonly #voice: SimulatedMicrophone

  constructor(options: GlassesOptions) {
    const device = new SimulatedGlasses({
      model: options.model === undefined ? 'Simulated Glasses' : (options.model ?? undefined),
      wifi: options.wifi,
      display: { ...DEFAULT_DISPLAY_SIZE, ...options.display },
      audioFormat: options.audioFormat,
      requests: {
        clock: options.clock ?? systemClock,
        camera: options.camera ?? { kind: 'direct' },
        streaming: options.streaming ?? { kind: 'stream' },
        streamMessageNames: options.streamMessageNames ?? 'rtmp',
        takePicture: options.takePicture ?? takePicture,
        respondBy: options.respondBy ?? 'socket',
      },
    })
    super(device, options)
    this.#device = device
    this.#voice = new SimulatedMicrophone(this.microphone, {
      clock: this.options.clock,
      isConnected: () => this.isOpen,
      send: (message) => this.send(message),
      sendBinary: (frame) => this.sendBinary(frame),
    })
    this.on('close', () => this.#voice.reset())
  }

  /** Model of the connected glasses; `null` if there are none. */
  get model(): string | null {
    return this.#device.wornModel ?? null
  }

  /** Whether the device profile of the model has a camera. */
  get hasCamera(): boolean {
    return this.model !== null && findCapabilities(this.model)?.hasCamera === true
  }

  /** How photo requests are handled; may be changed at any time. */
  get camera(): CameraBehavior {
    return this.#device.requests.camera
  }

  set camera(behavior: CameraBehavior) {
    this.#device.requests.camera = behavior
  }

  get streaming(): StreamingCamera {
    return this.#device.requests.streaming
  }

  get led(): Led {
    return this.#device.requests.led
  }

  /** Columns and lines of the display; may be changed at any time. */
  get displaySize(): DisplaySize {
    return this.#device.size
  }

  set displaySize(size: DisplaySize) {
    this.#device.size = size
    this.showDisplay()
  }

  /** Connects glasses of another model to the phone. Reported immediately, or on the next connection. */
  putOn(model: string): void {
    this.#device.putOn(model)
  }

  /** Disconnects the glasses from the phone; the phone stays connected to the cloud. */
  takeOff(): void {
    this.#device.takeOff()
  }

  /** Connects the glasses to a Wi-Fi network. */
  joinWifi(ssid: string): void {
    this.#device.setWifi({ connected: true, ssid })
  }

  /** Disconnects the glasses from their Wi-Fi network. */
  leaveWifi(): void {
    this.#device.setWifi({ connected: false })
  }

  /**
   * Speaks a sentence: the phone recognizes it and sends growing interim results and a final one. Results that are due
   * while the cloud does not require transcriptions are skipped.
   */
  speak(text: string, options: SpeechOptions = {}): Promise<SpeechSent> {
    return this.#voice.speak(text, options)
  }

  /**
   * Plays audio into the microphone: 16-bit mono PCM at 16 kHz (`readWav`, `silence`, `tone`). Frames that are due while
   * the cloud does not require PCM are skipped. With an LC3 format, frames are encoded, and sending starts after the cloud has
   * answered the configuration.
   */
  playAudio(pcm: Uint8Array, options: SendAudioOptions = {}): Promise<AudioSent> {
    return this.#voice.play(pcm, options)
  }

  /**
   * Sends a frame of live microphone audio, 16-bit mono PCM at 16 kHz, if the cloud requires PCM. Returns whether it was
   * sent. If the cloud requires transcriptions only, voice activity is reported instead: the simulated phone cannot
   * recognize audio.
   */
  sendAudioFrame(pcm: Uint8Array): Promise<boolean> {
    return this.#voice.sendFrame(pcm)
  }

  /** Changes the audio format. Resolves when the cloud accepts it, rejects when the cloud rejects it. */
  configureAudio(format: AudioFormat): Promise<void> {
    return this.microphone.uplink.configure(format)
  }

  /** Reports voice activity. Phones spell the message type `VAD`, headless clients `vad`. */
  sendVad(on: boolean, spelling: 'VAD' | 'vad' = 'VAD'): void {
    this.send({ type: spelling, status: on })
  }

  /**
   * Presses a button. A short press of the camera button of glasses with a camera is reported over REST, and takes a
   * photo if no app handles it; any other press is sent on the socket.
   */
  pressButton(buttonId = CAMERA_BUTTON, pressType: 'short' | 'long' = 'short'): void {
    if (this.hasCamera && buttonId === CAMERA_BUTTON && pressType === 'short')
      void this.#device.requests.pressCameraButton(buttonId)
    else this.send({ type: 'button_press', buttonId, pressType, timestamp: this.now() })
  }

  /**
   * Takes a photo of the user's own: the phone uploads it to the gallery, and sends it to the apps that subscribe to
   * such photos. Emits `photo`.
   * @returns the result, or `undefined` if the camera ignores requests
   * @throws {Error} if the glasses have no camera
   */
  async takePhoto(): Promise<PhotoOutcome | undefined> {
    if (!this.hasCamera) throw new Error(`${this.model ?? 'A phone without glasses'} has no camera`)
    return this.#device.requests.takePhoto()
  }

  /** Moves the head up or down, which also selects the visible view of the display. */
  moveHead(position: 'up' | 'down'): void {
    this.#device.events.head(position)
  }

  /** Touches the temple. */
  touch(gesture: string): void {
    // Not only those that a device has: apps may subscribe to any name.
    this.#device.events.gesture({ name: gesture as Gesture['name'] })
  }

  /** Reports the battery of the glasses, in percent. */
  reportBattery(level: number, charging = false): void {
    this.#device.events.battery(level, charging)
  }
}
