import { bmp } from '@glasses-cloud/phone/test/bmp'

/** Smaller than the lens, and larger than one tile of it. */
const [WIDTH, HEIGHT] = [540, 140]

const LENS = { width: 576, height: 288 }

/** Fields in the 16 greys; no part of the picture looks like another. */
function shadeAt(x: number, y: number): number {
  return (Math.floor(x / 34) + 5 * Math.floor(y / 28)) % 16
}

/** The picture as a BMP file with 4 bits per pixel. */
export function greyPicture(): Buffer {
  const rows = Array.from({ length: HEIGHT }, (_, y) =>
    Array.from({ length: WIDTH }, (_, x) => shadeAt(x, y)),
  )
  const palette = Array.from({ length: 16 }, (_, shade) => [shade * 17, shade * 17, shade * 17] as const)
  return bmp({ bits: 4, rows, palette })
}

/** The shades of a lens with the picture in its middle, by rows from the top. */
export function shadesOnLens(): number[] {
  const [left, top] = [(LENS.width - WIDTH) / 2, (LENS.height - HEIGHT) / 2]
  return Array.from({ length: LENS.width * LENS.height }, (_, index) => {
    const [x, y] = [(index % LENS.width) - left, Math.floor(index / LENS.width) - top]
    return x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT ? 0 : shadeAt(x, y)
  })
}
