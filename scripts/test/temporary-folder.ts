import { accessSync, constants, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** A file system in memory that Linux has. */
const MEMORY = '/dev/shm'

/** Tests leave up to a tenth of this at a time. */
const MIN_FREE_BYTES = 4 * 1024 ** 3

/**
 * Creates a folder in memory for the temporary files of tests, which is removed when this process exits.
 * @returns undefined if `TMPDIR` is set, or memory cannot be used: files written there must be executable
 */
export function createTemporaryFolder(): string | undefined {
  if (process.env.TMPDIR || !isUsable()) return undefined
  const folder = mkdtempSync(join(MEMORY, 'glasses-cloud-tests-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  return folder
}

function isUsable(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, path]) => path === MEMORY)
    return bavail * bsize >= MIN_FREE_BYTES && !(mount?.[3] ?? 'noexec').split(',').includes('noexec')
  } catch {
    return false
  }
}
