import type { GreyPicture } from '../../adapter/page.ts'

/** Larger pictures are refused: a phone draws none that is wider or higher. */
const MAX_SIDE = 2_048
const FILE_HEADER_BYTES = 14
/** Size of the smallest header in use (BITMAPINFOHEADER). */
const MIN_INFO_BYTES = 40
const UNCOMPRESSED = 0

/**
 * Reads a BMP file without compression, of 1, 4, 8, 24 or 32 bits per pixel, as grey values.
 * @throws {Error} with the reason if the file is not such a picture, or is cut off
 */
export function readBitmap(file: Uint8Array): GreyPicture {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  if (file.length < FILE_HEADER_BYTES + MIN_INFO_BYTES || view.getUint16(0, true) !== 0x4d42)
    throw new Error('The picture is not a BMP file')
  const pixelsAt = view.getUint32(10, true)
  const infoBytes = view.getUint32(14, true)
  const width = view.getInt32(18, true)
  const signedHeight = view.getInt32(22, true)
  const bits = view.getUint16(28, true)
  const height = Math.abs(signedHeight)
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE)
    throw new Error(`A picture must be 1 to ${MAX_SIDE} pixels wide and high (got ${width} × ${height})`)
  if (![1, 4, 8, 24, 32].includes(bits) || view.getUint32(30, true) !== UNCOMPRESSED)
    throw new Error(`A picture must be uncompressed, with 1, 4, 8, 24 or 32 bits per pixel (got ${bits})`)
  const rowBytes = Math.ceil((width * bits) / 32) * 4
  if (pixelsAt + rowBytes * height > file.length) throw new Error('The picture is cut off')
  const paletteAt = FILE_HEADER_BYTES + infoBytes
  const colors = bits > 8 ? 0 : view.getUint32(46, true) || 1 << bits
  if (colors > 256 || paletteAt + colors * 4 > file.length)
    throw new Error('The palette of the picture is cut off')
  /** Bytes are blue, green, red. */
  const greyAt = (at: number) => {
    const [blue = 0, green = 0, red = 0] = file.subarray(at, at + 3)
    return Math.round(0.299 * red + 0.587 * green + 0.114 * blue)
  }
  const palette = Uint8Array.from({ length: colors }, (_, index) => greyAt(paletteAt + index * 4))
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1) {
    const row = pixelsAt + rowBytes * (signedHeight > 0 ? height - 1 - y : y)
    for (let x = 0; x < width; x += 1) {
      if (bits > 8) pixels[y * width + x] = greyAt(row + x * (bits / 8))
      else {
        const byte = file[row + ((x * bits) >> 3)] ?? 0
        const index = (byte >> (8 - bits - ((x * bits) & 7))) & ((1 << bits) - 1)
        pixels[y * width + x] = palette[index] ?? 0
      }
    }
  }
  return { width, height, pixels }
}
