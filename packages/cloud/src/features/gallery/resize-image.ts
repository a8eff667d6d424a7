import { describeEnd } from '../../child-program.ts'
import { startProcessWorker, WorkerFailedError, WorkerPool } from '../../jobs/index.ts'
import type { ImageJob, ImageResult } from './image-worker.ts'

/** In a bundle the program is a file of its own beside the chunks. */
const PROGRAM = new URL(
  import.meta.url.endsWith('.ts') ? 'image-worker.ts' : 'image-worker.mjs',
  import.meta.url,
)

/** Images that are reduced at a time: each needs a processor, and up to 200 MB for the largest image. */
export const MAX_IMAGES = 2

/** Milliseconds for an image: the limit of the program, and its start on a slow machine. */
const IMAGE_TIMEOUT_MS = 40_000

/** Milliseconds until unused processes are ended. */
const IDLE_TIMEOUT_MS = 60_000

const never = new AbortController().signal

/** Reduces images. */
export interface ImageResizer {
  /** Returns why this machine cannot reduce images, as a part of a sentence; undefined if it can. */
  problem(): Promise<string | undefined>
  /**
   * Reduces an image to a longer side of `size` pixels and encodes it as WebP, upright and without metadata. A smaller
   * image keeps its size.
   * @throws if the image is invalid or has too many pixels, or this machine cannot reduce it
   */
  resize(image: Buffer, size: number): Promise<Buffer>
}

/** Reduces images in processes, which native code may end: on processors that it is not made for, or by a malicious image. */
export class ImageProcesses implements ImageResizer {
  readonly #pool: WorkerPool<ImageJob, ImageResult>
  #problem: Promise<string | undefined> | undefined

  /** @param program what the processes run */
  constructor(program = PROGRAM) {
    this.#pool = new WorkerPool({
      startWorker: () => startProcessWorker(program),
      maxWorkers: MAX_IMAGES,
      jobTimeoutMs: IMAGE_TIMEOUT_MS,
      idleTimeoutMs: IDLE_TIMEOUT_MS,
    })
  }

  problem(): Promise<string | undefined> {
    this.#problem ??= this.#pool.run({ image: undefined, size: 32 }, never).then(
      (result) => ('problem' in result ? result.problem : undefined),
      (error: unknown) => {
        const signal = error instanceof WorkerFailedError ? error.signal : undefined
        // A lack of time or memory may pass.
        if (signal === undefined || signal === 'SIGKILL') this.#problem = undefined
        return signal === undefined ? String(error) : describeEnd(undefined, signal)
      },
    )
    return this.#problem
  }

  async resize(image: Buffer, size: number): Promise<Buffer> {
    const result = await this.#pool.run({ image, size }, never)
    if ('problem' in result) throw new Error(result.problem)
    return result.image
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}

/** Returns why this machine cannot reduce images, for `doctor`; undefined if it can. */
export async function findImageProblem(): Promise<string | undefined> {
  const images = new ImageProcesses()
  try {
    return await images.problem()
  } finally {
    await images.close()
  }
}
