import type { GreyPicture } from '../adapter/page.ts'

/**
 * Reduces a picture to shades with Floyd-Steinberg dithering, which keeps the mean brightness.
 * @returns one byte per pixel, rows from the top: 0 is dark, `shades - 1` is bright
 */
export function dither({ width, height, pixels }: GreyPicture, shades: 2 | 16): Uint8Array {
  const step = 255 / (shades - 1)
  const reduced = new Uint8Array(width * height)
  // The errors passed to a row, with a column on either side for those that leave the picture.
  let errors = new Float32Array(width + 2)
  for (let y = 0; y < height; y++) {
    const below = new Float32Array(width + 2)
    for (let x = 0; x < width; x++) {
      const value = (pixels[y * width + x] ?? 0) + (errors[x + 1] ?? 0)
      const shade = Math.min(shades - 1, Math.max(0, Math.round(value / step)))
      reduced[y * width + x] = shade
      const error = (value - shade * step) / 16
      add(errors, x + 2, error * 7)
      add(below, x, error * 3)
      add(below, x + 1, error * 5)
      add(below, x + 2, error)
    }
    errors = below
  }
  return reduced
}

function add(values: Float32Array, index: number, amount: number): void {
  values[index] = (values[index] ?? 0) + amount
}
