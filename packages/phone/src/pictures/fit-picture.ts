import type { GreyPicture } from '../adapter/glasses-adapter.ts'

/**
 * Fits a picture into an area and centers it on a dark ground. A larger picture is reduced without distortion, each
 * pixel to the mean of those it replaces; a smaller one keeps its size, so that its lines stay sharp.
 */
export function fitPicture(picture: GreyPicture, width: number, height: number): GreyPicture {
  const scale = Math.min(1, width / picture.width, height / picture.height)
  const reduced = reduce(
    picture,
    Math.max(1, Math.round(picture.width * scale)),
    Math.max(1, Math.round(picture.height * scale)),
  )
  const left = Math.floor((width - reduced.width) / 2)
  const top = Math.floor((height - reduced.height) / 2)
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < reduced.height; y++) {
    const row = reduced.pixels.subarray(y * reduced.width, (y + 1) * reduced.width)
    pixels.set(row, (top + y) * width + left)
  }
  return { width, height, pixels }
}

function reduce(picture: GreyPicture, width: number, height: number): GreyPicture {
  if (width === picture.width && height === picture.height) return picture
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const rows = sourceRange(y, height, picture.height)
    for (let x = 0; x < width; x++)
      pixels[y * width + x] = mean(picture, sourceRange(x, width, picture.width), rows)
  }
  return { width, height, pixels }
}

interface Range {
  readonly start: number
  readonly end: number
}

/** The pixels of the source that pixel number `index` of `size` replaces. */
function sourceRange(index: number, size: number, sourceSize: number): Range {
  return {
    start: Math.floor((index * sourceSize) / size),
    end: Math.floor(((index + 1) * sourceSize) / size),
  }
}

function mean(picture: GreyPicture, columns: Range, rows: Range): number {
  let sum = 0
  for (let y = rows.start; y < rows.end; y++)
    for (let x = columns.start; x < columns.end; x++) sum += picture.pixels[y * picture.width + x] ?? 0
  return Math.round(sum / ((columns.end - columns.start) * (rows.end - rows.start)))
}

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
