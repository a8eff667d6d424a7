/** What the headers of a BMP file say; every position lies within the file. */
export interface BmpHeader {
  readonly width: number
  readonly height: number
  /** Whether the first row of the file is the top one; otherwise it is the bottom one. */
  readonly isTopDown: boolean
  readonly bitsPerPixel: number
  readonly pixelStart: number
  /** Bytes of a row, padded to a multiple of four. */
  readonly rowBytes: number
  readonly paletteStart: number
  readonly paletteColors: number
  /** Bytes of a color of the palette. */
  readonly colorBytes: number
}

const FILE_HEADER_BYTES = 14
/** Header of OS/2 1.x (BITMAPCOREHEADER). */
const CORE_HEADER_BYTES = 12
/** Header of Windows 3 (BITMAPINFOHEADER), which the later ones extend. */
const INFO_HEADER_BYTES = 40

/** Parses and validates the headers of a BMP file (Microsoft, "Bitmap Storage"). Returns the reason if it is refused. */
export function readBmpHeader(file: DataView): BmpHeader | string {
  if (file.byteLength < FILE_HEADER_BYTES + CORE_HEADER_BYTES)
    return 'The picture is too short for a BMP file'
  if (file.getUint16(0) !== 0x424d) return 'The picture is not a BMP file'
  const headerBytes = file.getUint32(FILE_HEADER_BYTES, true)
  const isCore = headerBytes === CORE_HEADER_BYTES
  if (!isCore && headerBytes < INFO_HEADER_BYTES) return `BMP headers of ${headerBytes} bytes are unsupported`
  const paletteStart = FILE_HEADER_BYTES + headerBytes
  if (paletteStart > file.byteLength) return 'The BMP file ends within its header'

  const rows = isCore ? file.getUint16(20, true) : file.getInt32(22, true)
  const width = isCore ? file.getUint16(18, true) : file.getInt32(18, true)
  const height = Math.abs(rows)
  if (width <= 0 || height === 0) return `A BMP file of ${width} × ${height} pixels is invalid`
  const bitsPerPixel = file.getUint16(isCore ? 24 : 28, true)
  if (![1, 4, 8, 24].includes(bitsPerPixel))
    return `BMP files with ${bitsPerPixel} bits per pixel are unsupported`
  if (!isCore && file.getUint32(30, true) !== 0) return 'Compressed BMP files are unsupported'

  const pixelStart = file.getUint32(10, true)
  const rowBytes = Math.ceil((width * bitsPerPixel) / 32) * 4
  if (pixelStart < paletteStart || pixelStart + rowBytes * height > file.byteLength)
    return 'The pixels of the BMP file are not within the file'
  const colorBytes = isCore ? 3 : 4
  const mostColors = bitsPerPixel === 24 ? 0 : 2 ** bitsPerPixel
  const declaredColors = isCore ? 0 : file.getUint32(46, true)
  const paletteColors = declaredColors === 0 ? mostColors : Math.min(declaredColors, mostColors)
  if (paletteStart + paletteColors * colorBytes > pixelStart)
    return 'The palette of the BMP file is incomplete'
  return {
    width,
    height,
    isTopDown: rows < 0,
    bitsPerPixel,
    pixelStart,
    rowBytes,
    paletteStart,
    paletteColors,
    colorBytes,
  }
}
