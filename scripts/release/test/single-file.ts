import { chmodSync, copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { NAME, RELEASE } from './artifacts.ts'
import { BareRoot, checked, type RunOptions } from './bare-root.ts'

/** The home of the user who runs the file, in a root. */
export const HOME = '/srv/user'

/** The single file in a root. */
export const PROGRAM = `${HOME}/glasses-cloud`

/** Runs it as a user who is not root. */
export const AS_USER = { user: '1000:1000', cwd: HOME, env: { HOME } } satisfies RunOptions

/** Makes a root without Node, with the single file in the home of a user. */
export function rootWithFile(): BareRoot {
  const root = new BareRoot()
  mkdirSync(join(root.folder, HOME))
  addFile(root, join(RELEASE, NAME), PROGRAM)
  return root
}

/** Copies a file into a root, where the user may read and run it. @param to path in the root */
export function addFile(root: BareRoot, from: string, to: string): void {
  copyFileSync(from, join(root.folder, to))
  chmodSync(join(root.folder, to), 0o755)
  checked('chown', ['-R', AS_USER.user, join(root.folder, HOME)])
}
