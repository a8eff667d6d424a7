import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder that receives a build.
 * @throws {Error} with a sentence if this account may not write there
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(
      `${dirname(path)} is not writable (${code}); run npm run bundle and npm run build as a user who may write there.`,
    )
  }
}
