import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Folder of the bundles, one folder each, relative to the root of the project. */
export const BUNDLE_FOLDER = 'packages/cloud/dist'

/** File in `BUNDLE_FOLDER` that names the current bundle and what it was made from. */
export const MANIFEST = 'current.json'

/** A file that a bundle was made from. */
export type BundleInput = readonly [path: string, size: number, mtimeMs: number, hash: string]

/** Content of `MANIFEST`. */
export interface BundleManifest {
  /** Relative to `BUNDLE_FOLDER`. */
  readonly entry: string
  readonly inputs: readonly BundleInput[]
}

export function hashContent(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64')
}

/**
 * Returns the entry file of the bundle, or undefined if there is none or one of its inputs has changed since.
 * An input with the same size and modification time is not read again, so this takes a few milliseconds.
 * @param root root of the project
 */
export function findBundle(root: string): string | undefined {
  try {
    const folder = join(root, BUNDLE_FOLDER)
    const { entry, inputs }: BundleManifest = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8'))
    statSync(join(folder, entry))
    return inputs.every((input) => isUnchanged(root, input)) ? join(folder, entry) : undefined
  } catch {
    return undefined
  }
}

function isUnchanged(root: string, [path, size, mtimeMs, hash]: BundleInput): boolean {
  const file = join(root, path)
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined || stats.size !== size) return false
  // A copied folder may have other times, for instance in an image.
  return stats.mtimeMs === mtimeMs || hashContent(readFileSync(file)) === hash
}
