import type { EventEmitter } from 'node:events'
import type { Message } from '@glasses-cloud/contract'
import { AudioPlayer } from './audio/audio-player.ts'
import { photoTaken, takeOwnPhoto } from './camera/own-photo.ts'
import { type CameraBehavior, handlePhotoRequest, type PhotoOutcome } from './camera/photo-request.ts'
import { StreamingCamera } from './camera/streaming-camera.ts'
import type { GlassesEvents } from './glasses-events.ts'
import type { ResolvedOptions } from './glasses-options.ts'
import { Led } from './led.ts'
import type { Phone } from './phone.ts'
import type { Position } from './position.ts'

export interface DeviceResponderDeps {
  readonly phone: Phone
  /** Sends a message on the socket; drops it if the connection is closed. */
  readonly send: (message: Message) => void
  readonly events: EventEmitter<GlassesEvents>
  readonly onError: (error: Error) => void
}

/**
 * Handles the requests of the cloud as glasses and phone do, and responds on the socket or over REST: photos, location
 * polls, streams, audio playback and the LED.
 */
export class DeviceResponder {
  /** How photo requests are handled; may be changed at any time. */
  camera: CameraBehavior
  /** Position of the user, for location polls; may be changed at any time. */
  position: Position | undefined
  readonly streaming: StreamingCamera
  readonly audioPlayer: AudioPlayer
  readonly led: Led
  readonly #deps: DeviceResponderDeps
  readonly #options: ResolvedOptions
  #photoCount = 0

  constructor(options: ResolvedOptions, deps: DeviceResponderDeps) {
    this.#deps = deps
    this.#options = options
    this.camera = options.camera
    this.position = options.position
    this.streaming = new StreamingCamera(options.streamMessageNames, options.streaming, {
      clock: options.clock,
      send: deps.send,
    })
    this.audioPlayer = new AudioPlayer({
      clock: options.clock,
      playSound: options.playSound,
      send: deps.send,
      onEnd: (audio) => deps.events.emit('audioPlayed', audio),
    })
    this.led = new Led(deps.send, (command) => deps.events.emit('ledCommand', command))
  }

  /** Handles a request; ignores messages that are not requests. */
  handle(message: Message): void {
    switch (message.type) {
      case 'photo_request':
        this.#deps.events.emit('photoRequest', message)
        void this.#handlePhotoRequest(message)
        break
      case 'request_single_location':
        void this.#handleLocationPoll(message)
        break
      case 'show_wifi_setup':
        this.#deps.events.emit('wifiSetupRequest', message)
        break
      default:
        this.streaming.handle(message)
        this.audioPlayer.handle(message)
        this.led.handle(message)
    }
  }

  /**
   * Takes a photo of the user's own: uploads it to the gallery, and sends it to the apps that subscribe to such photos.
   * @returns the result, or `undefined` if the camera ignores requests
   */
  async takePhoto(requestId: string = crypto.randomUUID()): Promise<PhotoOutcome | undefined> {
    const { phone, events, send } = this.#deps
    const outcome = await takeOwnPhoto(requestId, {
      behavior: this.camera,
      index: this.#photoCount++,
      takePicture: this.#options.takePicture,
      upload: (id, jpeg) => phone.uploadPhoto(id, jpeg),
    })
    if (outcome?.ok) send(photoTaken(outcome.picture, this.#now()))
    if (outcome !== undefined) events.emit('photo', outcome)
    return outcome
  }

  /** Reports a press of the camera button over REST; takes a photo if no app handles it. */
  async pressCameraButton(buttonId: string): Promise<void> {
    try {
      const requestId = await this.#deps.phone.pressButton(buttonId, 'short')
      if (requestId !== undefined) await this.takePhoto(requestId)
    } catch (error) {
      this.#deps.onError(error instanceof Error ? error : new Error(String(error)))
    }
  }

  async #handlePhotoRequest(request: Message): Promise<void> {
    const outcome = await handlePhotoRequest(
      request,
      this.camera,
      this.#photoCount++,
      this.#options.takePicture,
    )
    if (!outcome) return
    await this.#reportPhoto(outcome)
    this.#deps.events.emit('photo', outcome)
  }

  /** Older phones report only failures, on the socket; newer ones post every result (glasses-socket.md §2.1). */
  async #reportPhoto(outcome: PhotoOutcome): Promise<void> {
    const { ok: success, requestId } = outcome
    const report = success
      ? { requestId, success }
      : { requestId, success, errorCode: outcome.errorCode, errorMessage: outcome.errorMessage }
    if (this.#options.respondBy === 'rest') await this.#post('/api/client/photo/response', report)
    else if (!success) this.#deps.send({ type: 'photo_response', ...report, timestamp: this.#now() })
  }

  async #handleLocationPoll({ correlationId }: Message): Promise<void> {
    const { position } = this
    if (position === undefined || typeof correlationId !== 'string') return
    const timestamp = this.#now()
    if (this.#options.respondBy === 'rest') {
      const path = `/api/client/location/poll-response/${encodeURIComponent(correlationId)}`
      await this.#post(path, { ...position, timestamp })
    } else this.#deps.send({ type: 'location_update', ...position, correlationId, timestamp })
  }

  /** Posts a response. A rejection is reported as an error event and has no other effect. */
  async #post(path: string, body: object): Promise<void> {
    try {
      await this.#deps.phone.request('POST', path, body)
    } catch (error) {
      this.#deps.onError(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #now(): number {
    return this.#options.clock.now()
  }
}
