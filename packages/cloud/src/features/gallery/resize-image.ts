import type { Sharp, SharpOptions } from 'sharp'

/**
 * Pixels that an image may have: 8,192 by 6,144, four times those of the cameras of glasses. The header says how many;
 * a larger image is not decoded, because a file of a few KB can need gigabytes of memory.
 */
const MAX_INPUT_PIXELS = 8_192 * 6_144

/** Seconds after which decoding is given up. */
const TIMEOUT_SECONDS = 20

/** Loaders of the types that the gallery accepts. All others are blocked, such as those of SVG and PDF. */
const LOADERS = ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer']

const INPUT: SharpOptions = { limitInputPixels: MAX_INPUT_PIXELS, sequentialRead: true }

type MakeImage = (image: Buffer, options: SharpOptions) => Sharp

let loading: Promise<MakeImage | undefined> | undefined

/** Loads sharp on first use. @returns undefined if there is no build of it for this platform */
function loadSharp(): Promise<MakeImage | undefined> {
  loading ??= import('sharp').then(
    ({ default: sharp }) => {
      // One thread an image; the caller limits the images. Inputs do not repeat, so that nothing is worth caching.
      sharp.concurrency(1)
      sharp.cache(false)
      sharp.block({ operation: ['VipsForeignLoad'] })
      sharp.unblock({ operation: LOADERS })
      return sharp
    },
    () => undefined,
  )
  return loading
}

/** Whether images can be resized on this platform. */
async function canResize(): Promise<boolean> {
  return (await loadSharp()) !== undefined
}

/**
 * Reduces an image to a longer side of `size` pixels and encodes it as WebP, upright and without metadata. Runs outside
 * of the event loop. A smaller image keeps its size.
 * @throws if the image is invalid or has too many pixels, or this platform cannot resize
 */
async function resizeImage(image: Buffer, size: number): Promise<Buffer> {
  const sharp = await loadSharp()
  if (sharp === undefined) throw new Error('There is no build of sharp for this platform')
  return await sharp(image, INPUT)
    .autoOrient()
    .resize(size, size, { fit: 'inside', withoutEnlargement: true })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .webp({ quality: 78, effort: 2 })
    .toBuffer()
}

/** Resizes images. */
export interface ImageResizer {
  canResize(): Promise<boolean>
  resizeImage(image: Buffer, size: number): Promise<Buffer>
}

export const imageResizer: ImageResizer = { canResize, resizeImage }
