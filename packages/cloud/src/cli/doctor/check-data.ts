import { access, constants, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { authSecret, authSecretFile, type Config } from '../../config/index.ts'
import { type Finding, note, ok, wrong } from './finding.ts'

/** The data folder must be writable, and private. */
export async function checkDataFolder({ data }: Config): Promise<Finding[]> {
  const found = await stat(data.dir).catch(() => undefined)
  if (found === undefined) {
    const parentWritable = await writable(dirname(data.dir))
    const made = `${data.dir} does not exist yet; it is made at the first start`
    return [
      parentWritable
        ? note('data folder', made)
        : wrong('data folder', `${data.dir} cannot be made; set DATA_DIR`),
    ]
  }
  if (!found.isDirectory()) return [wrong('data folder', `${data.dir} is no folder; set DATA_DIR to one`)]
  if (!(await writable(data.dir))) {
    return [wrong('data folder', `${data.dir} cannot be written to; change its owner, or set DATA_DIR`)]
  }
  if ((found.mode & 0o007) !== 0) {
    return [note('data folder', `${data.dir} is open to every account of this machine; chmod 700 closes it`)]
  }
  return [ok('data folder', data.dir)]
}

/** Where the key of the tokens comes from. */
export async function checkSecret({ auth, data }: Config): Promise<Finding[]> {
  if (auth.secret !== undefined) return [ok('secret', 'from AUTH_SECRET')]
  const path = join(data.dir, authSecretFile)
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return [note('secret', 'AUTH_SECRET is not set; one is made at the first start')]
  try {
    await authSecret(undefined, data.dir)
    return [ok('secret', `kept in ${path}`)]
  } catch (error) {
    return [wrong('secret', error instanceof Error ? error.message : String(error))]
  }
}

function writable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  )
}
