import { type Picture, type PictureRequest, photograph, takePicture } from '@glasses-cloud/phone/browser'
import { openMedia } from './open-media.ts'

/** What the camera sees: test pictures, the camera of the computer, or a picture from a file. */
export type CameraView =
  | { readonly kind: 'test' }
  | { readonly kind: 'webcam'; readonly stream: MediaStream }
  | { readonly kind: 'file'; readonly name: string }

/** The camera of the simulated glasses. */
export class Camera {
  #view: CameraView = { kind: 'test' }
  #video: HTMLVideoElement | undefined
  #image: ImageBitmap | undefined

  get view(): CameraView {
    return this.#view
  }

  showTestPictures(): void {
    this.#release()
    this.#view = { kind: 'test' }
  }

  /** @throws {Error} with a sentence for the user, if they do not allow it or there is no camera */
  async openWebcam(): Promise<void> {
    const stream = await openMedia('camera', { video: { width: { ideal: 1280 } } })
    this.#release()
    const video = document.createElement('video')
    video.muted = true
    video.srcObject = stream
    this.#video = video
    this.#view = { kind: 'webcam', stream }
    await video.play()
  }

  /** @throws {Error} if the browser cannot read it as a picture */
  async openFile(file: File): Promise<void> {
    const image = await createImageBitmap(file).catch(() => {
      throw new Error(`${file.name} is not a picture that the browser can read`)
    })
    this.#release()
    this.#image = image
    this.#view = { kind: 'file', name: file.name }
  }

  readonly takePicture = async (request: PictureRequest): Promise<Picture> => {
    if (this.#image !== undefined) return photograph(request, this.#image, this.#image)
    const video = this.#video
    if (video === undefined) return takePicture(request)
    return photograph(request, video, { width: video.videoWidth, height: video.videoHeight })
  }

  #release(): void {
    if (this.#view.kind === 'webcam') for (const track of this.#view.stream.getTracks()) track.stop()
    this.#image?.close()
    this.#video = undefined
    this.#image = undefined
  }
}
