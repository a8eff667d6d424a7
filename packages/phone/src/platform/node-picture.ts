import { encode } from 'jpeg-js'
import { pictureFormat } from './picture-format.ts'
import type { Picture, PictureRequest } from './platform.ts'

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
