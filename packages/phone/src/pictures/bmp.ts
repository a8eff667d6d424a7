import type { GreyPicture } from '../adapter/glasses-adapter.ts'
import { type BmpHeader, readBmpHeader } from './bmp-header.ts'

/** A picture that cannot be shown; the message is the reason, without content of the picture. */
export class PictureError extends Error {
  override name = 'PictureError'
}

/** Bounds the memory for a picture: at 1 bit per pixel it has at most eight times as many pixels. */
const MAX_FILE_BYTES = 1024 * 1024

/**
 * Decodes an uncompressed BMP file with 1, 4, 8 or 24 bits per pixel to grey pixels, by the luma of ITU-R BT.601.
 * Pixels whose color the palette does not have are dark.
 * @throws {PictureError} if the file is invalid, incomplete or of another format
 */
export function decodeBmp(file: Uint8Array): GreyPicture {
  if (file.length > MAX_FILE_BYTES)
    throw new PictureError(`The picture is larger than ${MAX_FILE_BYTES} bytes`)
  const header = readBmpHeader(new DataView(file.buffer, file.byteOffset, file.byteLength))
  if (typeof header === 'string') throw new PictureError(header)
  const { width, height, isTopDown, pixelStart, rowBytes } = header
  const greyAt = header.bitsPerPixel === 24 ? trueColor(file) : paletteColor(file, header)
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const rowStart = pixelStart + (isTopDown ? y : height - 1 - y) * rowBytes
    for (let x = 0; x < width; x++) pixels[y * width + x] = greyAt(rowStart, x)
  }
  return { width, height, pixels }
}

/** Reads the grey value of pixel `x` of the row that starts at a byte. */
type GreyAt = (rowStart: number, x: number) => number

function trueColor(file: Uint8Array): GreyAt {
  return (rowStart, x) => greyOf(file, rowStart + x * 3)
}

function paletteColor(file: Uint8Array, header: BmpHeader): GreyAt {
  const { bitsPerPixel, paletteStart, paletteColors, colorBytes } = header
  const palette = Uint8Array.from({ length: 2 ** bitsPerPixel }, (_, index) =>
    index < paletteColors ? greyOf(file, paletteStart + index * colorBytes) : 0,
  )
  const pixelsPerByte = 8 / bitsPerPixel
  const mask = 2 ** bitsPerPixel - 1
  return (rowStart, x) => {
    const byte = file[rowStart + Math.floor(x / pixelsPerByte)] ?? 0
    // The first pixel of a byte is in its highest bits.
    const shift = 8 - bitsPerPixel * ((x % pixelsPerByte) + 1)
    return palette[(byte >> shift) & mask] ?? 0
  }
}

/** Colors are stored as blue, green, red. */
function greyOf(file: Uint8Array, start: number): number {
  const [blue = 0, green = 0, red = 0] = [file[start], file[start + 1], file[start + 2]]
  return Math.round((299 * red + 587 * green + 114 * blue) / 1000)
}
