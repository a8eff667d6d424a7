import type { Message } from '@glasses-cloud/contract'
import type { RequestHandler, ServedPhone } from '../adapter/glasses-adapter.ts'
import type { Clock } from '../clock.ts'
import type { ResponseChannel } from '../phone-options.ts'
import type { TakePicture } from '../platform/platform.ts'
import { randomId } from '../platform/random-id.ts'
import { photoTaken, takeOwnPhoto } from './camera/own-photo.ts'
import { type CameraBehavior, handlePhotoRequest, type PhotoOutcome } from './camera/photo-request.ts'
import {
  type StreamingBehavior,
  StreamingCamera,
  type StreamMessageNames,
} from './camera/streaming-camera.ts'
import { Led } from './led.ts'

export interface DeviceRequestsOptions {
  readonly clock: Clock
  readonly camera: CameraBehavior
  readonly streaming: StreamingBehavior
  readonly streamMessageNames: StreamMessageNames
  readonly takePicture: TakePicture
  readonly respondBy: ResponseChannel
}

/** Serves the requests of the cloud as glasses do: photos, video, the LED and Wi-Fi setup. */
export class DeviceRequests implements RequestHandler {
  /** How photo requests are handled; may be changed at any time. */
  camera: CameraBehavior
  readonly streaming: StreamingCamera
  readonly led: Led
  readonly #phone: ServedPhone
  readonly #options: DeviceRequestsOptions
  #photoCount = 0

  constructor(options: DeviceRequestsOptions, phone: ServedPhone) {
    const { clock, camera, streaming, streamMessageNames } = options
    this.#phone = phone
    this.#options = options
    this.camera = camera
    this.streaming = new StreamingCamera(streamMessageNames, streaming, {
      clock,
      send: (message) => phone.send(message),
    })
    this.led = new Led(
      (message) => phone.send(message),
      (command) => phone.report('ledCommand', command),
    )
  }

  handle(message: Message): void {
    switch (message.type) {
      case 'photo_request':
        this.#phone.report('photoRequest', message)
        void this.#handlePhotoRequest(message)
        break
      case 'show_wifi_setup':
        this.#phone.report('wifiSetupRequest', message)
        break
      default:
        this.streaming.handle(message)
        this.led.handle(message)
    }
  }

  close(): Promise<void> {
    return this.streaming.close()
  }

  /**
   * Takes a photo of the user's own: uploads it to the gallery, and sends it to the apps that subscribe to such photos.
   * @returns the result, or `undefined` if the camera ignores requests
   */
  async takePhoto(requestId: string = randomId()): Promise<PhotoOutcome | undefined> {
    const outcome = await takeOwnPhoto(requestId, {
      behavior: this.camera,
      index: this.#photoCount++,
      takePicture: this.#options.takePicture,
      upload: (id, jpeg) => this.#phone.api.uploadPhoto(id, jpeg),
    })
    if (outcome?.ok) this.#phone.send(photoTaken(outcome.picture, this.#now()))
    if (outcome !== undefined) this.#phone.report('photo', outcome)
    return outcome
  }

  /** Reports a press of the camera button over REST; takes a photo if no app handles it. */
  async pressCameraButton(buttonId: string): Promise<void> {
    try {
      const requestId = await this.#phone.api.pressButton(buttonId, 'short')
      if (requestId !== undefined) await this.takePhoto(requestId)
    } catch (error) {
      this.#phone.fail(error instanceof Error ? error : new Error(String(error)))
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
    this.#phone.report('photo', outcome)
  }

  /**
   * Older phones report only failures, on the socket; newer ones post every result (glasses-socket.md §2.1). A rejection is
   * reported as an error event and has no other effect.
   */
  async #reportPhoto(outcome: PhotoOutcome): Promise<void> {
    const { ok: success, requestId } = outcome
    const report = success
      ? { requestId, success }
      : { requestId, success, errorCode: outcome.errorCode, errorMessage: outcome.errorMessage }
    if (this.#options.respondBy === 'socket') {
      if (!success) this.#phone.send({ type: 'photo_response', ...report, timestamp: this.#now() })
      return
    }
    try {
      await this.#phone.api.request('POST', '/api/client/photo/response', report)
    } catch (error) {
      this.#phone.fail(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #now(): number {
    return this.#options.clock.now()
  }
}
