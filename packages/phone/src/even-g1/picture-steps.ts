import crc32 from 'crc-32'
import type { GreyPicture } from '../adapter/glasses-adapter.ts'
import type { Step } from '../bluetooth/command.ts'
import { dither } from '../pictures/fit-picture.ts'
import { COMMANDS, step } from './commands.ts'

/** Size of a picture in pixels (EvenDemoApp README: Image Sending). */
export const PICTURE_WIDTH = 576
export const PICTURE_HEIGHT = 136

const ROW_BYTES = PICTURE_WIDTH / 8
const HEADER_BYTES = 62
/** The demo's pictures end with two bytes of padding. */
const FILE_BYTES = HEADER_BYTES + ROW_BYTES * PICTURE_HEIGHT + 2

const PIECE_BYTES = 194
/** Where the glasses store the picture; part of the first piece and of the checksum (EvenDemoApp README). */
const ADDRESS = [0x00, 0x1c, 0x00, 0x00]

/** The commands that transfer and show a picture: pieces, end, checksum. */
export function pictureSteps(picture: GreyPicture): Step[] {
  const file = encodeBitmap(dither(picture, 2))
  const pieces = Array.from({ length: Math.ceil(file.length / PIECE_BYTES) }, (_, index) =>
    step(
      COMMANDS.picturePiece,
      index,
      ...(index === 0 ? ADDRESS : []),
      ...file.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
    ),
  )
  const checksum = new DataView(new ArrayBuffer(4))
  checksum.setInt32(0, crc32.buf(Uint8Array.of(...ADDRESS, ...file)))
  return [
    ...pieces,
    step(COMMANDS.pictureEnd, 0x0d, 0x0e),
    step(COMMANDS.pictureCheck, ...new Uint8Array(checksum.buffer)),
  ]
}

/** A bitmap file of 1 bit per pixel: color 0 is black, color 1 white, rows from the bottom. */
function encodeBitmap(bits: Uint8Array): Uint8Array {
  const file = new Uint8Array(FILE_BYTES)
  const view = new DataView(file.buffer)
  file.set([0x42, 0x4d])
  view.setUint32(2, FILE_BYTES, true)
  view.setUint32(10, HEADER_BYTES, true)
  view.setUint32(14, 40, true)
  view.setInt32(18, PICTURE_WIDTH, true)
  view.setInt32(22, PICTURE_HEIGHT, true)
  view.setUint16(26, 1, true)
  view.setUint16(28, 1, true)
  view.setUint32(34, FILE_BYTES - HEADER_BYTES, true)
  view.setUint32(46, 2, true)
  file.set([255, 255, 255, 0], 58)
  for (const [index, bit] of bits.entries()) {
    const [x, y] = [index % PICTURE_WIDTH, Math.floor(index / PICTURE_WIDTH)]
    const offset = HEADER_BYTES + (PICTURE_HEIGHT - 1 - y) * ROW_BYTES + (x >> 3)
    if (bit === 1) file[offset] = (file[offset] ?? 0) | (0x80 >> (x & 7))
  }
  return file
}
