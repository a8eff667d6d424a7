import { access, constants, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Finding } from '@glasses-cloud/contract'
import { AUTH_SECRET_FILE, type Config, loadAuthSecret } from '../config/index.ts'
import { failure, note, ok } from './finding.ts'

/** Checks that the data folder is writable and private. */
export async function checkDataFolder({ data }: Config): Promise<Finding[]> {
  const found = await stat(data.dir).catch(() => undefined)
  if (found === undefined) {
    const isParentWritable = await isWritable(dirname(data.dir))
    const missing = `${data.dir} does not exist; the first start creates it`
    return [
      isParentWritable
        ? note('data folder', missing)
        : failure('data folder', `${data.dir} cannot be created; set DATA_DIR`),
    ]
  }
  if (!found.isDirectory())
    return [failure('data folder', `${data.dir} is not a folder; set DATA_DIR to a folder`)]
  if (!(await isWritable(data.dir))) {
    return [failure('data folder', `${data.dir} is not writable; change its owner, or set DATA_DIR`)]
  }
  if ((found.mode & 0o007) !== 0) {
    return [note('data folder', `${data.dir} is accessible to other accounts of this machine; run chmod 700`)]
  }
  return [ok('data folder', data.dir)]
}

/** Checks the secret that signs tokens. */
export async function checkSecret({ auth, data }: Config): Promise<Finding[]> {
  if (auth.secret !== undefined) return [ok('secret', 'from AUTH_SECRET')]
  const path = join(data.dir, AUTH_SECRET_FILE)
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return [note('secret', 'AUTH_SECRET is not set; the first start generates one')]
  try {
    await loadAuthSecret(undefined, data.dir)
    return [ok('secret', `stored in ${path}`)]
  } catch (error) {
    return [failure('secret', error instanceof Error ? error.message : String(error))]
  }
}

function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  )
}
