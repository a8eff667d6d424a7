import type { Finding } from '@glasses-cloud/contract'
import { findImageProblem } from '../features/gallery/index.ts'
import { note, ok } from './finding.ts'

const PART = 'thumbnails'

/** Checks whether the native code that reduces photos runs on this machine. */
export async function checkThumbnails(): Promise<Finding[]> {
  const problem = await findImageProblem()
  return [
    problem === undefined
      ? ok(PART, 'photos are reduced')
      : note(PART, `photos are served in full size, because ${problem}`),
  ]
}
