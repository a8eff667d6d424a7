/** What the glasses use of Node; `package.json` replaces this module by `browser.ts` in browsers. */
import { encode } from 'jpeg-js'
import { fetchAudio } from './fetch-audio.ts'
import { type Picture, type PictureRequest, type PlaySound, pictureFormat, type Speak } from './platform.ts'

export { VideoPublisher } from '../simulated/camera/video-publisher.ts'
export { openSocket } from './node-socket.ts'

/** Node has no voice. */
export const speak: Speak | undefined = undefined

/** Silent, but fetches the sound and takes as long as it lasts. */
export const playSound: PlaySound = async (url, { signal, clock }) => {
  const { durationSeconds } = await fetchAudio(url, signal)
  await new Promise<void>((resolve, reject) => {
    signal.throwIfAborted()
    const timer = clock.setTimeout(resolve, durationSeconds * 1_000)
    const stop = () => {
      clock.clearTimeout(timer)
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
  })
  return durationSeconds
}

/**
 * Draws a test picture: a gradient with a black bar whose position depends on the index, so that consecutive pictures
 * differ.
 * @param index number of the picture, from 0
 */
export function drawPicture(
  index: number,
  size = 'medium',
  compress = 'none',
): Picture & { readonly jpeg: Buffer<ArrayBuffer> } {
  const { width, height, quality } = pictureFormat(size, compress)
  const data = Buffer.alloc(width * height * 4)
  const barWidth = Math.ceil(width / 16)
  const bar = (index * barWidth) % width
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const inBar = x >= bar && x < bar + barWidth
      const offset = (y * width + x) * 4
      data[offset] = inBar ? 0 : Math.round((x / width) * 255)
      data[offset + 1] = inBar ? 0 : Math.round((y / height) * 255)
      data[offset + 2] = inBar ? 0 : 128
      data[offset + 3] = 255
    }
  }
  const { data: jpeg } = encode({ data, width, height }, quality)
  return { jpeg: Buffer.from(jpeg), width, height }
}

/** Takes a test picture. */
export async function takePicture({ index, size, compress }: PictureRequest): Promise<Picture> {
  return drawPicture(index, size, compress)
}
