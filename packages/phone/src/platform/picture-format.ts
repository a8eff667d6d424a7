/** Resolution by requested size. */
const PIXELS_BY_SIZE: Readonly<Record<string, readonly [width: number, height: number]>> = {
  small: [320, 240],
  medium: [640, 480],
  large: [1280, 720],
  full: [1920, 1080],
}

/** JPEG quality, in percent, by requested compression. */
const QUALITY_BY_COMPRESSION: Readonly<Record<string, number>> = { none: 90, medium: 70, heavy: 40 }

/** What a requested size and compression mean; unknown sizes are `medium`, unknown compressions are `none`. */
export function pictureFormat(size: string, compress: string) {
  const [width, height] = PIXELS_BY_SIZE[size] ?? [640, 480]
  return { width, height, quality: QUALITY_BY_COMPRESSION[compress] ?? 90 }
}
