import type { GreyPicture } from '../../adapter/page.ts'

/**
 * Fits a picture into an area: unchanged if it fits, otherwise scaled down with its proportions by the mean of the pixels, and
 * in the middle of a dark area.
 */
export function fitPicture(
  picture: GreyPicture,
  area: { readonly width: number; readonly height: number },
): GreyPicture {
  const factor = Math.min(1, area.width / picture.width, area.height / picture.height)
  const width = Math.max(1, Math.floor(picture.width * factor))
  const height = Math.max(1, Math.floor(picture.height * factor))
  const left = Math.floor((area.width - width) / 2)
  const top = Math.floor((area.height - height) / 2)
  const pixels = new Uint8Array(area.width * area.height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      pixels[(top + y) * area.width + left + x] = meanOf(picture, x / factor, y / factor, 1 / factor)
  return { width: area.width, height: area.height, pixels }
}

/** The mean of a square of pixels. */
function meanOf({ width, height, pixels }: GreyPicture, left: number, top: number, side: number): number {
  const endX = Math.min(width, Math.max(Math.floor(left) + 1, Math.floor(left + side)))
  const endY = Math.min(height, Math.max(Math.floor(top) + 1, Math.floor(top + side)))
  let sum = 0
  let count = 0
  for (let y = Math.floor(top); y < endY; y += 1)
    for (let x = Math.floor(left); x < endX; x += 1) {
      sum += pixels[y * width + x] ?? 0
      count += 1
    }
  return count === 0 ? 0 : Math.round(sum / count)
}
