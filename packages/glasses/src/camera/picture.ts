import { encode } from 'jpeg-js'

/** A photo taken by the simulated camera. */
export interface Picture {
  readonly jpeg: Buffer
  readonly width: number
  readonly height: number
}

/** Resolution by requested size; unknown sizes use `medium`. */
const PIXELS_BY_SIZE: Record<string, readonly [width: number, height: number]> = {
  small: [320, 240],
  medium: [640, 480],
  large: [1280, 720],
  full: [1920, 1080],
}

/** JPEG quality by requested compression; unknown values use `none`. */
const QUALITY_BY_COMPRESSION: Record<string, number> = { none: 90, medium: 70, heavy: 40 }

/**
 * Draws a test picture: a gradient with a black bar whose position depends on the index, so that consecutive pictures
 * differ.
 * @param index number of the picture, from 0
 */
export function takePicture(index: number, size = 'medium', compress = 'none'): Picture {
  const [width, height] = PIXELS_BY_SIZE[size] ?? [640, 480]
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
  return { jpeg: encode({ data, width, height }, QUALITY_BY_COMPRESSION[compress] ?? 90).data, width, height }
}
