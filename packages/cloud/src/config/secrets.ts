import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from './env.ts'

/** Name of the file in the data folder that keeps a secret made here. */
export const authSecretFile = 'auth-secret'

const minLength = 32

/**
 * The key that tokens are signed with: the configured one, or the one kept in the data folder, made at first use.
 * Processes that start at the same time agree on one.
 * @throws ConfigError if the kept one cannot be read or is too short
 */
export async function authSecret(configured: string | undefined, dataDir: string): Promise<string> {
  if (configured !== undefined) return configured
  const path = join(dataDir, authSecretFile)
  try {
    return (await kept(path)) ?? (await made(path, dataDir))
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause
    const { code } = cause as NodeJS.ErrnoException
    throw new ConfigError([`${path} cannot be used (${code}); make DATA_DIR writable, or set AUTH_SECRET.`])
  }
}

async function kept(path: string): Promise<string | undefined> {
  const secret = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (secret === undefined) return undefined
  if (secret.trim().length < minLength) {
    throw new ConfigError([
      `${path} holds fewer than ${minLength} characters; delete it to have a new secret made (all tokens end), or set AUTH_SECRET.`,
    ])
  }
  // Copies and backups lose the mode; others on the machine must not read it.
  if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600)
  return secret.trim()
}

/** A link fails if the name is taken, so the first of several processes wins and the others read its secret. */
async function made(path: string, dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(32).toString('hex')}\n`)
    await file.sync()
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await file.close()
    await unlink(draft)
  }
  return (await readFile(path, 'utf8')).trim()
}
