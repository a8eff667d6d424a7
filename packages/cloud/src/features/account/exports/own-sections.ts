import type { Database } from '../../../db/index.ts'
import type { UserStore } from '../../../identity/index.ts'
import type { ExportFact, ExportSection } from '../../../personal-data.ts'
import type { PrivacyStore } from '../privacy-store.ts'
import type { ExportStore } from './export-store.ts'
import { FactsStore } from './facts-store.ts'

/** What the sections of accounts, sessions, settings and the catalogue are read from. */
export interface OwnSectionsParts {
  readonly db: Database
  readonly users: UserStore
  readonly privacy: PrivacyStore
  readonly exports: ExportStore
}

/** What is stored about a user wherever no feature of its own keeps it (decision A3). */
export function ownSections({ db, users, privacy, exports }: OwnSectionsParts): ExportSection[] {
  const facts = new FactsStore(db)
  return [
    {
      name: 'account',
      async *facts({ id }) {
        const user = await users.findById(id)
        if (user === undefined) return
        const { email, name, createdAt, updatedAt } = user
        yield* fields({ id, email, name, createdAt: new Date(createdAt).toISOString() }, updatedAt)
      },
    },
    {
      name: 'profile',
      async *facts({ id }) {
        const user = await users.findById(id)
        if (user !== undefined) yield* fields(user.profile, user.updatedAt)
      },
    },
    {
      name: 'privacy',
      async *facts({ id }) {
        const { settings, updatedAt } = await privacy.find(id)
        yield* fields(settings, updatedAt ?? undefined)
      },
    },
    { name: 'settings', facts: (user) => facts.settings(user) },
    { name: 'installedApps', facts: (user) => facts.installedApps(user) },
    { name: 'runningApps', facts: (user) => facts.runningApps(user) },
    { name: 'appSettings', facts: (user) => facts.appSettings(user) },
    { name: 'organizations', facts: (user) => facts.organizations(user) },
    { name: 'ownApps', facts: (user) => facts.ownApps(user) },
    { name: 'session', facts: (user) => facts.session(user) },
    {
      name: 'exports',
      async *facts({ id }) {
        for (const { id: key, status, format, createdAt, endedAt } of await exports.listOf(id)) {
          const value = { status, format, createdAt: new Date(createdAt).toISOString() }
          yield { key, value, updatedAt: endedAt ?? createdAt }
        }
      },
    },
  ]
}

function* fields(object: object, updatedAt: number | undefined): Generator<ExportFact> {
  for (const [key, value] of Object.entries(object)) yield { key, value, updatedAt }
}
