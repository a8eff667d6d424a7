import { randomUUID } from 'node:crypto'
import { access, constants, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Finding } from '@glasses-cloud/contract'
import { pino } from 'pino'
import { DiskSpace, openBlobStore } from '../blobs/index.ts'
import { AUTH_SECRET_FILE, type Config, loadAuthSecret } from '../config/index.ts'
import {
  type DatabaseTime,
  databaseCheck,
  findPoolerProblem,
  openDatabase,
  readDatabaseTime,
} from '../db/index.ts'
import { AppStore } from '../features/catalogue/index.ts'
import { UserStore } from '../identity/index.ts'
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

/** Checks that more than the reserve of `DISK_RESERVE_MB` is free on the disk of the data folder. */
export async function checkDiskSpace({ data }: Config): Promise<Finding[]> {
  const space = new DiskSpace(data.dir, data.diskReserveBytes)
  const available = await space.available()
  if (!Number.isFinite(available)) return []
  const text = `${Math.floor((available + data.diskReserveBytes) / 1024 / 1024)} MiB are free on the disk of ${data.dir}`
  if (available >= 0) return [ok('disk', text)]
  return [failure('disk', `${text}, less than DISK_RESERVE_MB; uploads, recordings and exports are refused`)]
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

/** A larger difference is worth correcting: tokens expire by the clock of the machine. */
const MAX_CLOCK_DIFFERENCE_MS = 2_000

/** Checks that the database opens, and that the packages that were set are registered. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  const kind = config.data.databaseUrl === undefined ? `SQLite in ${config.data.dir}` : 'PostgreSQL'
  try {
    const db = await openDatabase({ databaseUrl: config.data.databaseUrl, dataDir: config.data.dir })
    try {
      await databaseCheck(db).run()
      const [apps, users] = [new AppStore(db), new UserStore(db)]
      return [
        ok('database', `${kind}; ${await apps.count()} apps, ${await users.count()} users`),
        ...(await findUnregistered(config, apps)),
        ...(config.data.databaseUrl === undefined
          ? []
          : [
              compareClocks(await readDatabaseTime(db, () => performance.now())),
              ...(await checkPooler(config)),
            ]),
      ]
    } finally {
      await db.destroy()
    }
  } catch (error) {
    return [failure('database', error instanceof Error ? error.message : String(error))]
  }
}

/** Checks whether a connection pooler takes from the cloud what needs a connection of its own. */
async function checkPooler({ data }: Config): Promise<Finding[]> {
  const problem = await findPoolerProblem(data)
  if (problem === undefined) return []
  return [data.redis ? failure('database', problem) : note('database', problem)]
}

/** Compares the clock of this machine with that of PostgreSQL. */
export function compareClocks({ now, roundTripMs }: DatabaseTime): Finding {
  const difference = Math.round(Date.now() - (now + roundTripMs / 2))
  const text = `differs by ${Math.abs(difference)} ms from that of PostgreSQL`
  return Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_MS
    ? ok('clock', text)
    : note('clock', `${text}; synchronize both machines with NTP`)
}

async function findUnregistered({ apps }: Config, store: AppStore): Promise<Finding[]> {
  const named = {
    SYSTEM_APPS: apps.requiredSystem.filter((name) => apps.system.includes(name)),
    SYSTEM_DASHBOARD_PACKAGE_NAME: apps.requiredSystem.filter((name) => name === apps.dashboard),
    API_KEY_PACKAGES: apps.apiKeyPackages,
    AUDIO_PACKAGE: apps.audioPackages,
  }
  const found = await store.findByPackages([...new Set(Object.values(named).flat())])
  const registered = new Set(found.map(({ packageName }) => packageName))
  return Object.entries(named).flatMap(([setting, packages]) => {
    const missing = packages.filter((packageName) => !registered.has(packageName))
    if (missing.length === 0) return []
    return [note('apps', `${setting} contains unregistered packages: ${missing.join(', ')}`)]
  })
}

const CONTENT = 'probe'

/** Checks that the S3 bucket, if it is configured, can be written, read and deleted from, with a small object. */
export async function checkBlobs({ data }: Config): Promise<Finding[]> {
  const { s3 } = data
  if (s3 === undefined) return []
  try {
    const blobs = await openBlobStore({ dataDir: data.dir, s3, log: pino({ level: 'silent' }) })
    const key = `doctor/${randomUUID()}`
    const startedAt = performance.now()
    try {
      await blobs.put(key, probe())
      const found = await blobs.get(key)
      const content = found && (await text(found.stream))
      if (!(await blobs.delete(key)) || content !== CONTENT)
        return [failure('blobs', `the bucket ${s3.bucket} does not return what was written to it`)]
      const ms = Math.round(performance.now() - startedAt)
      return [ok('blobs', `the bucket ${s3.bucket} can be written, read and deleted from (${ms} ms)`)]
    } finally {
      await blobs.close()
    }
  } catch (error) {
    return [failure('blobs', error instanceof Error ? error.message : String(error))]
  }
}

async function* probe(): AsyncGenerator<Uint8Array> {
  yield Buffer.from(CONTENT)
}
