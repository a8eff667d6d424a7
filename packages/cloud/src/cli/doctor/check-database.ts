import type { Config } from '../../config/index.ts'
import { databaseCheck, openDatabase } from '../../db/index.ts'
import { AppStore } from '../../features/catalogue/index.ts'
import { UserStore } from '../../identity/index.ts'
import { type Finding, failure, note, ok } from './finding.ts'

/** Checks that the database opens, and that the packages in the settings are registered. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  const kind = config.data.databaseUrl === undefined ? `SQLite in ${config.data.dir}` : 'PostgreSQL'
  try {
    const db = await openDatabase({ databaseUrl: config.data.databaseUrl, dataDir: config.data.dir })
    try {
      await databaseCheck(db).run()
      const registered = new Set((await new AppStore(db).list()).map(({ packageName }) => packageName))
      const userCount = (await new UserStore(db).list()).length
      return [
        ok('database', `${kind}; ${registered.size} apps, ${userCount} users`),
        ...findUnregistered(config, registered),
      ]
    } finally {
      await db.destroy()
    }
  } catch (error) {
    return [failure('database', error instanceof Error ? error.message : String(error))]
  }
}

function findUnregistered({ apps }: Config, registered: ReadonlySet<string>): Finding[] {
  const named = {
    SYSTEM_APPS: apps.system,
    API_KEY_PACKAGES: apps.apiKeyPackages,
    AUDIO_PACKAGE: apps.audioPackages,
  }
  return Object.entries(named).flatMap(([setting, packages]) => {
    const missing = packages.filter((packageName) => !registered.has(packageName))
    if (missing.length === 0) return []
    return [note('apps', `${setting} contains unregistered packages: ${missing.join(', ')}`)]
  })
}
