import type { GreyPicture } from '../adapter/page.ts'

/**
 * Reduces a picture to black (0) and white (1) with Floyd-Steinberg dithering. A picture of another size is centered,
 * and cut where it is larger.
 */
export function dither(picture: GreyPicture, width: number, height: number): Uint8Array {
  const grey = new Float32Array(width * height)
  const left = Math.floor((width - picture.width) / 2)
  const top = Math.floor((height - picture.height) / 2)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [sourceX, sourceY] = [x - left, y - top]
      const isInside = sourceX >= 0 && sourceY >= 0 && sourceX < picture.width && sourceY < picture.height
      if (isInside) grey[y * width + x] = picture.pixels[sourceY * picture.width + sourceX] ?? 0
    }
  const bits = new Uint8Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const index = y * width + x
      const value = grey[index] ?? 0
      const bit = value >= 128 ? 1 : 0
      bits[index] = bit
      const error = (value - bit * 255) / 16
      if (x + 1 < width) add(grey, index + 1, error * 7)
      if (y + 1 === height) continue
      if (x > 0) add(grey, index + width - 1, error * 3)
      add(grey, index + width, error * 5)
      if (x + 1 < width) add(grey, index + width + 1, error)
    }
  return bits
}

function add(values: Float32Array, index: number, amount: number): void {
  values[index] = (values[index] ?? 0) + amount
}
