/** A BMP file to draw; each part may contradict the others, as in hostile files. */
interface BmpOptions {
  readonly bits?: number
  /** Rows of the picture from the top: indexes of colors, or grey values of 24-bit pixels. */
  readonly rows?: readonly (readonly number[])[]
  /** Colors as red, green, blue; black and white by default. */
  readonly palette?: readonly (readonly [number, number, number])[]
  readonly isTopDown?: boolean
}

/** Encodes a BMP file with a header of Windows 3. */
export function bmp({ bits = 1, rows = [[1]], palette, isTopDown = false }: BmpOptions): Buffer {
  const colors =
    bits === 24
      ? []
      : (palette ?? [
          [0, 0, 0],
          [255, 255, 255],
        ])
  const width = rows[0]?.length ?? 0
  const pixelStart = 54 + colors.length * 4
  const rowBytes = Math.ceil((width * bits) / 32) * 4
  const file = Buffer.alloc(pixelStart + rowBytes * rows.length)
  file.write('BM')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(pixelStart, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(isTopDown ? -rows.length : rows.length, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(bits, 28)
  file.writeUInt32LE(colors.length, 46)
  for (const [index, [red, green, blue]] of colors.entries()) file.set([blue, green, red, 0], 54 + index * 4)
  for (const [y, row] of rows.entries()) {
    const start = pixelStart + (isTopDown ? y : rows.length - 1 - y) * rowBytes
    for (const [x, value] of row.entries()) {
      if (bits === 24) file.fill(value, start + x * 3, start + x * 3 + 3)
      else {
        const bit = x * bits
        const index = start + (bit >> 3)
        file[index] = (file[index] ?? 0) | (value << (8 - bits - (bit & 7)))
      }
    }
  }
  return file
}
