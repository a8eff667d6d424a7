import { BitmapUtils } from '@mentra/sdk'

/** What lenses take: 576 by 135 pixels. */
const [WIDTH, HEIGHT] = [576, 135]

const HEADER_BYTES = 54

/**
 * Vertical stripes as a base64 bitmap of one bit a pixel.
 * @param width of a stripe, in pixels
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
      const lit = Math.floor(x / width) % 2 === 0
      bmp.fill(lit ? 255 : 0, HEADER_BYTES + y * rowBytes + x * 3, HEADER_BYTES + y * rowBytes + x * 3 + 3)
    }
  }
  return BitmapUtils.bufferToBase64(await BitmapUtils.convert24BitTo1BitBMP(bmp))
}
