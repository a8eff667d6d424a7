import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesAt, hashContents, hashTimes } from './hash-files.ts'
import { makeFolder } from './make-folder.ts'

/** What the built console depends on. */
const INPUTS = ['packages/console', 'packages/contract/src', 'packages/phone/src', 'package-lock.json']

const DIST = 'packages/console/dist'
const STAMP = '.build-stamp'

/** Whether the console has been built from the sources as they are. Contents are compared only if times differ. */
export function isConsoleCurrent(root: string): boolean {
  const file = join(root, DIST, STAMP)
  if (!existsSync(file)) return false
  const [contents, times] = readFileSync(file, 'utf8').split('\n')
  const inputs = listInputs(root)
  return times === hashTimes(root, inputs) || contents === hashContents(root, inputs)
}

function listInputs(root: string): string[] {
  return INPUTS.flatMap((path) => filesAt(root, path))
}

/**
 * Builds the web console into `packages/console/dist`, unless it has been built from the same sources. The new build
 * replaces the old one in one step, so that a running cloud never sees half of it.
 * @param report receives a line if something is built
 * @throws {Error} with the output of the bundler, or what to do about the folder of the project
 */
export async function buildConsole(root: string, report: (line: string) => void): Promise<void> {
  const folder = join(root, 'packages/console')
  const dist = join(root, DIST)
  if (isConsoleCurrent(root)) return
  const inputs = listInputs(root)
  const stamp = `${hashContents(root, inputs)}\n${hashTimes(root, inputs)}`
  // Vite reads what follows them as a query or a pattern.
  if (/[#?*]/.test(root)) throw new Error(`${root} contains #, ? or *; rename the folder.`)
  report('Building the console. This takes some seconds and happens after each change.')
  const next = join(folder, `dist-${process.pid}`)
  try {
    makeFolder(next)
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    const result = spawnSync(process.execPath, [vite, 'build', '--outDir', next, '--logLevel', 'warn'], {
      cwd: folder,
      encoding: 'utf8',
    })
    if (result.error) throw result.error
    if (result.status !== 0) throw new Error(`${result.stdout}${result.stderr}`.trim())
    writeFileSync(join(next, STAMP), stamp)
    rmSync(dist, { recursive: true, force: true })
    renameSync(next, dist)
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
}
