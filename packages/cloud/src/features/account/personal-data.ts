import type { UserStore } from '../../identity/index.ts'
import type { ExportFact, ExportSection } from '../../personal-data.ts'
import type { ExportStore } from './exports/index.ts'
import type { PrivacyStore } from './privacy-store.ts'

/** Collaborators of the sections. */
export interface AccountSectionsDeps {
  readonly users: UserStore
  readonly privacy: PrivacyStore
  readonly exports: ExportStore
}

/** Exports the account itself: its fields, profile, privacy settings and earlier exports. */
export function accountSections({ users, privacy, exports }: AccountSectionsDeps): ExportSection[] {
  return [
    {
      name: 'account',
      tables: ['users'],
      async *facts({ id: userId }) {
        const user = await users.findById(userId)
        if (user === undefined) return
        const { id, email, name, createdAt, updatedAt } = user
        yield* factsOf({ id, email, name, createdAt: iso(createdAt) }, updatedAt)
      },
    },
    {
      name: 'profile',
      tables: ['users'],
      async *facts({ id: userId }) {
        const user = await users.findById(userId)
        if (user !== undefined) yield* factsOf(user.profile, user.updatedAt)
      },
    },
    {
      name: 'privacy',
      tables: ['privacy_settings'],
      async *facts({ id: userId }) {
        const { settings, updatedAt } = await privacy.find(userId)
        yield* factsOf(settings, updatedAt ?? undefined)
      },
    },
    {
      name: 'exports',
      tables: ['exports'],
      async *facts({ id: userId }) {
        for (const { id: key, status, format, createdAt, endedAt } of await exports.listByUser(userId)) {
          const value = { status, format, createdAt: iso(createdAt) }
          yield { key, value, updatedAt: endedAt ?? createdAt }
        }
      },
    },
  ]
}

/** Turns each field of an object into a fact. */
function* factsOf(object: object, updatedAt: number | undefined): Generator<ExportFact> {
  for (const [key, value] of Object.entries(object)) yield { key, value, updatedAt }
}

const iso = (ms: number) => new Date(ms).toISOString()
