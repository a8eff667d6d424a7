import type { UserStore } from '../../identity/index.ts'
import type { ExportFact, ExportSection } from '../../personal-data.ts'
import type { PrivacyStore } from './privacy-store.ts'

/** Exports the account itself: its fields, profile and privacy settings. */
export function profileSections({
  users,
  privacy,
}: {
  readonly users: UserStore
  readonly privacy: PrivacyStore
}): ExportSection[] {
  return [
    {
      name: 'account',
      tables: ['users'],
      async *facts({ id: userId }) {
        const user = await users.findById(userId)
        if (user === undefined) return
        const { id, email, name, createdAt, updatedAt } = user
        yield* factsOf({ id, email, name, createdAt: new Date(createdAt).toISOString() }, updatedAt)
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
  ]
}

/** Turns each field of an object into a fact. */
function* factsOf(object: object, updatedAt: number | undefined): Generator<ExportFact> {
  for (const [key, value] of Object.entries(object)) yield { key, value, updatedAt }
}
