import type { GreyPicture, Page } from '../adapter/glasses-adapter.ts'
import type { Step } from '../bluetooth/command.ts'
import { dither } from '../pictures/fit-picture.ts'
import type { Device } from './devices.ts'
import { spell } from './fonts.ts'
import { MESSAGES, type Packets } from './messages.ts'

/** Bytes of pixels in a message: the glasses have little memory beside the strips themselves. */
const STRIP_BYTES = 2000

/** The packets that draw a page. */
export function pageSteps(page: Page, device: Device, packets: Packets): Step[] {
  if (page.kind === 'text') return textSteps(page.lines, device, packets)
  const strips = page.kind === 'picture' ? pictureStrips(page.picture, device) : []
  if (strips.length === 0) return textSteps([], device, packets)
  return [
    ...strips.flatMap((strip) => packets.steps(MESSAGES.strip, strip)),
    ...packets.steps(MESSAGES.picture, new Uint8Array()),
  ]
}

/** One message with all lines: x, y, length of the text, text. */
function textSteps(lines: readonly string[], { font, text }: Device, packets: Packets): Step[] {
  const encoder = new TextEncoder()
  const drawn = lines.map((line, index) => ({ y: text.y + index * text.lineHeight, line: spell(line, font) }))
  const visible = drawn.filter(({ line }) => line.trim() !== '')
  // The maker's programs draw a space to clear Frame.
  const items = visible.length > 0 ? visible : [{ y: text.y, line: ' ' }]
  const data = items.flatMap(({ y, line }) => {
    const bytes = encoder.encode(line).subarray(0, 255)
    return [...uint16(text.x), ...uint16(y), bytes.length, ...bytes]
  })
  return packets.steps(MESSAGES.text, Uint8Array.from(data))
}

/** The part of a picture that is not dark, in strips: 1 for the first, x, y, width, one bit for each pixel. */
function pictureStrips(picture: GreyPicture, device: Device): Uint8Array[] {
  const bits = dither(picture, 2)
  const rowBytes = picture.width >> 3
  const rows = Array.from({ length: picture.height }, (_, y) =>
    Uint8Array.from({ length: rowBytes }, (_, column) => packByte(bits, y * picture.width + column * 8)),
  )
  const top = rows.findIndex((row) => row.some((byte) => byte !== 0))
  if (top < 0) return []
  const bottom = rows.findLastIndex((row) => row.some((byte) => byte !== 0))
  const isLit = (column: number) => rows.some((row) => row[column] !== 0)
  const columns = Array.from({ length: rowBytes }, (_, column) => column).filter(isLit)
  const [left = 0, right = 0] = [columns[0], columns.at(-1)]
  const width = right - left + 1
  const rowsPerStrip = Math.floor(STRIP_BYTES / width)
  const strips: Uint8Array[] = []
  for (let y = top; y <= bottom; y += rowsPerStrip) {
    const part = rows.slice(y, Math.min(y + rowsPerStrip, bottom + 1))
    const position = [device.picture.x + left * 8, device.picture.y + y, width * 8].flatMap(uint16)
    const pixels = part.flatMap((row) => [...row.subarray(left, right + 1)])
    strips.push(Uint8Array.of(y === top ? 1 : 0, ...position, ...pixels))
  }
  return strips
}

/** Eight pixels, the leftmost in the highest bit. */
function packByte(bits: Uint8Array, start: number): number {
  let byte = 0
  for (let bit = 0; bit < 8; bit++) byte = (byte << 1) | (bits[start + bit] ?? 0)
  return byte
}

function uint16(value: number): [number, number] {
  return [value >> 8, value & 0xff]
}
