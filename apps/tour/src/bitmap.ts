import { BitmapUtils } from '@mentra/sdk'

/** Bitmap size of the display, in pixels. */
const [WIDTH, HEIGHT] = [576, 135]

const HEADER_BYTES = 54

/**
 * Draws vertical stripes as a base64-encoded bitmap with one bit per pixel.
 * @param width width of a stripe, in pixels
 */
export async function stripes(width: number): Promise<string> {
  const rowBytes = WIDTH * 3
  const bmp = Buffer.alloc(HEADER_BYTES + rowBytes * HEIGHT)
  bmp.write('BM')
  bmp.writeUInt32LE(bmp.length, 2)
  bmp.writeUInt32LE(HEADER_BYTES, 10)
  bmp.writeUInt32LE(40, 14)
  bmp.writeInt32LE(WIDTH, 18)
  bmp.writeInt32LE(HEIGHT, 22)
  bmp.writeUInt16LE(1, 26)
  bmp.writeUInt16LE(24, 28)
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const isLit = Math.floor(x / width) % 2 === 0
      bmp.fill(isLit ? 255 : 0, HEADER_BYTES + y * rowBytes + x * 3, HEADER_BYTES + y * rowBytes + x * 3 + 3)
    }
  }
  return BitmapUtils.bufferToBase64(await BitmapUtils.convert24BitTo1BitBMP(bmp))
}
