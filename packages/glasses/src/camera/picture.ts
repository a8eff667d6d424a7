import { encode } from 'jpeg-js'

/** A picture that glasses took. */
export interface Picture {
  readonly jpeg: Buffer
  readonly width: number
  readonly height: number
}

/** Pixels by the size an app asks for; an unknown size is `medium`. */
const PIXELS_BY_SIZE: Record<string, readonly [width: number, height: number]> = {
  small: [320, 240],
  medium: [640, 480],
  large: [1280, 720],
  full: [1920, 1080],
}

/** JPEG quality by the compression an app asks for; unknown is `none`. */
const QUALITY_BY_COMPRESSION: Record<string, number> = { none: 90, medium: 70, heavy: 40 }

/**
 * A test picture: a gradient with a black bar that moves on, so that no two shots in a row are alike.
 * @param shot number of the picture, from 0
 */
export function takePicture(shot: number, size = 'medium', compress = 'none'): Picture {
  const [width, height] = PIXELS_BY_SIZE[size] ?? [640, 480]
  const data = Buffer.alloc(width * height * 4)
  const barWidth = Math.ceil(width / 16)
  const bar = (shot * barWidth) % width
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const inBar = x >= bar && x < bar + barWidth
      const at = (y * width + x) * 4
      data[at] = inBar ? 0 : Math.round((x / width) * 255)
      data[at + 1] = inBar ? 0 : Math.round((y / height) * 255)
      data[at + 2] = inBar ? 0 : 128
      data[at + 3] = 255
    }
  }
  return { jpeg: encode({ data, width, height }, QUALITY_BY_COMPRESSION[compress] ?? 90).data, width, height }
}
