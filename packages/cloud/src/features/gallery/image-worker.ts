/** The program of a process that reduces images, with the native code of sharp. */
import type { Sharp, SharpOptions } from 'sharp'
import { LACKS_INSTRUCTIONS, serveJobs } from '../../child-program.ts'

/** An image to reduce to a longer side of `size` pixels. */
export interface ImageJob {
  /** Undefined: a test image, to see whether this machine can reduce images. */
  readonly image: Buffer | undefined
  readonly size: number
}

/** The reduced image, or why there is none. */
export type ImageResult = { readonly image: Buffer } | { readonly problem: string }

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

const TEST_IMAGE: SharpOptions = { create: { width: 64, height: 64, channels: 3, background: '#357' } }

type MakeImage = (image: Buffer | SharpOptions, options?: SharpOptions) => Sharp

let loading: Promise<MakeImage> | undefined

async function loadSharp(): Promise<MakeImage> {
  const { default: sharp } = await import('sharp').catch((error: Error) => {
    throw explainMissing(error)
  })
  // One thread an image; the caller limits the images. Inputs do not repeat, so that nothing is worth caching.
  sharp.concurrency(1)
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
  return sharp as MakeImage
}

/** Returns why sharp cannot be loaded, of an error with many lines. */
function explainMissing({ message }: Error): Error {
  const isOld = message.includes('Unsupported CPU')
  return new Error(isOld ? LACKS_INSTRUCTIONS : 'there is no build of sharp for this platform')
}

serveJobs(async ({ image, size }: ImageJob): Promise<ImageResult> => {
  loading ??= loadSharp()
  try {
    const sharp = await loading
    const input = image ?? (await sharp(TEST_IMAGE).jpeg().toBuffer())
    const reduced = await sharp(input, INPUT)
      .autoOrient()
      .resize(size, size, { fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .webp({ quality: 78, effort: 2 })
      .toBuffer()
    return { image: reduced }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
})
