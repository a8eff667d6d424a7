import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { UserStore } from '../../identity/index.ts'
import { getMe } from './get-me.ts'
import { getPrivacy } from './get-privacy.ts'
import { profileSections } from './personal-data.ts'
import { PrivacyStore } from './privacy-store.ts'
import { putPrivacy } from './put-privacy.ts'
import { putProfile } from './put-profile.ts'

export interface ProfileDeps {
  readonly db: Database
  readonly users: UserStore
  /** Epoch ms. */
  readonly now: () => number
}

/** The user's own account: profile and privacy settings, under `/api/account`. */
export function createProfile({ db, users, now }: ProfileDeps): Feature {
  const privacy = new PrivacyStore(db)
  const deps = { users, privacy, now }
  return {
    name: 'profile',
    endpoints: [getMe(), putProfile(deps), getPrivacy(deps), putPrivacy(deps)],
    exportSections: profileSections({ users, privacy }),
  }
}
