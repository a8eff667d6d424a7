import type { Finding } from '@glasses-cloud/contract'
import type { Config } from '../config/index.ts'
import { type DatabaseTime, databaseCheck, openDatabase, readDatabaseTime } from '../db/index.ts'
import { AppStore } from '../features/catalogue/index.ts'
import { UserStore } from '../identity/index.ts'
import { failure, note, ok } from './finding.ts'

/** A larger difference is worth correcting: tokens expire by the clock of the machine. */
const MAX_CLOCK_DIFFERENCE_MS = 2_000

/** Checks that the database opens, and that the packages in the settings are registered. */
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
          : [compareClocks(await readDatabaseTime(db, () => performance.now()))]),
      ]
    } finally {
      await db.destroy()
    }
  } catch (error) {
    return [failure('database', error instanceof Error ? error.message : String(error))]
  }
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
    SYSTEM_APPS: apps.system,
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
