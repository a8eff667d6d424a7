import { LENS_HEIGHT, LENS_WIDTH } from './glyphs.ts'

/** Address of a picture in the glasses, in its first piece (EvenDemoApp, README: Send bmp data packet). */
const ADDRESS = [0x00, 0x1c, 0x00, 0x00]
const MAX_PIECE_BYTES = 194

/** Receives the pieces of a picture in order, checks it, and decodes it. */
export class PictureAssembly {
  #bytes: number[] = []
  #next = 0
  #hasGap = false
  #isEnded = false

  /** Adds a piece, `15 <index> …`; index 0 begins a new picture. */
  add(piece: Uint8Array): void {
    const index = piece[1]
    const isFirst = index === 0 && (this.#next === 0 || hasAddress(piece))
    if (isFirst) this.reset()
    const data = piece.subarray(isFirst ? 2 + ADDRESS.length : 2)
    if (index !== (this.#next & 0xff) || data.length === 0 || data.length > MAX_PIECE_BYTES)
      this.#hasGap = true
    if (isFirst && !hasAddress(piece)) this.#hasGap = true
    this.#next += 1
    this.#bytes.push(...data)
  }

  /** The client says that all pieces were sent. @returns whether none is missing */
  end(): boolean {
    this.#isEnded = !this.#hasGap && this.#bytes.length > 0
    return this.#isEnded
  }

  /** @returns the pixels if the checksum (`16` and four bytes) is right and the file can be drawn */
  check(command: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
    if (!this.#isEnded || command.length !== 5) return undefined
    const expected = new DataView(command.buffer, command.byteOffset).getUint32(1)
    const isRight = crc32([...ADDRESS, ...this.#bytes]) === expected
    return isRight ? decodeBitmap(Uint8Array.from(this.#bytes)) : undefined
  }

  reset(): void {
    this.#bytes = []
    this.#next = 0
    this.#hasGap = false
    this.#isEnded = false
  }
}

function hasAddress(piece: Uint8Array): boolean {
  return ADDRESS.every((byte, index) => piece[2 + index] === byte)
}

/** CRC-32 bit by bit: polynomial 04C11DB7 reflected, start and final value FFFFFFFF. */
function crc32(bytes: readonly number[]): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

/** Decodes a bitmap of 1 bit per pixel, rows from the bottom; undefined if it is none of 576 × 136. */
function decodeBitmap(file: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  if (file.length < 62 || file[0] !== 0x42 || file[1] !== 0x4d) return undefined
  const view = new DataView(file.buffer)
  const start = view.getUint32(10, true)
  const isExpected =
    view.getInt32(18, true) === LENS_WIDTH &&
    view.getInt32(22, true) === LENS_HEIGHT &&
    view.getUint16(28, true) === 1 &&
    file.length >= start + (LENS_WIDTH / 8) * LENS_HEIGHT
  if (!isExpected) return undefined
  const isLight = [0, 1].map((color) => view.getUint8(54 + color * 4) > 127)
  const pixels = new Uint8Array(LENS_WIDTH * LENS_HEIGHT)
  for (let y = 0; y < LENS_HEIGHT; y++)
    for (let x = 0; x < LENS_WIDTH; x++) {
      const byte = view.getUint8(start + (LENS_HEIGHT - 1 - y) * (LENS_WIDTH / 8) + (x >> 3))
      pixels[y * LENS_WIDTH + x] = isLight[(byte >> (7 - (x & 7))) & 1] ? 1 : 0
    }
  return pixels
}
