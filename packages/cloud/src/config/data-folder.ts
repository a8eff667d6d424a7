import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renameNew } from '../rename-new.ts'
import type { Config } from './config.ts'
import { ConfigError } from './env.ts'

/** The variables that programs need: where to find others and libraries, language, time zone and temporary files. */
const PASSED = ['PATH', 'LD_LIBRARY_PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR'] as const

/**
 * Returns the environment of programs that the cloud starts. It contains no setting of the cloud, and so none of its
 * secrets.
 */
export function childEnvironment(): Record<string, string> {
  const passed = PASSED.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(passed)
}

/** Name of the file in the data folder that contains the generated secret. */
export const AUTH_SECRET_FILE = 'auth-secret'

const MIN_SECRET_LENGTH = 32

/**
 * Returns the configured secret, or the one stored in the data folder, which is generated on first use. Processes that
 * start at the same time get the same secret.
 * @throws ConfigError if the stored secret cannot be read or is too short
 */
export async function loadAuthSecret(configured: string | undefined, dataDir: string): Promise<string> {
  if (configured !== undefined) return configured
  const path = join(dataDir, AUTH_SECRET_FILE)
  try {
    const stored = await readSecret(path)
    if (stored !== undefined) return stored
    await createSecret(path, dataDir)
    return await loadAuthSecret(configured, dataDir)
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause
    const { code } = cause as NodeJS.ErrnoException
    throw new ConfigError([`${path} cannot be used (${code}); make DATA_DIR writable, or set AUTH_SECRET.`])
  }
}

async function readSecret(path: string): Promise<string | undefined> {
  const secret = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (secret === undefined) return undefined
  if (secret.trim().length < MIN_SECRET_LENGTH) {
    throw new ConfigError([
      `${path} has fewer than ${MIN_SECRET_LENGTH} characters; delete it to generate a new secret (which invalidates all tokens), or set AUTH_SECRET.`,
    ])
  }
  // Copies and backups may lose the mode, which would expose the secret to other accounts.
  if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600)
  return secret.trim()
}

/** Creates the secret, unless another process has: the first of several wins. */
async function createSecret(path: string, dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(32).toString('hex')}\n`)
    await file.sync()
    await renameNew(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await file.close()
    await rm(draft, { force: true })
  }
}

/** Returns a folder on the disk of this node: in the data folder, unless nodes on other machines share that. */
export function nodeFolder(
  { dir, isDirShared }: Pick<Config['data'], 'dir' | 'isDirShared'>,
  name: string,
): string {
  if (!isDirShared) return join(dir, name)
  const id = createHash('sha256').update(dir).digest('hex').slice(0, 16)
  return join(tmpdir(), `glasses-cloud-${name}-${id}`)
}
