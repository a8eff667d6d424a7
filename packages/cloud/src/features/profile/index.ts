import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { UserStore } from '../../identity/index.ts'
import { profileEndpoints } from './endpoints.ts'
import { profileSections } from './personal-data.ts'
import { PrivacyStore } from './privacy-store.ts'

export interface ProfileDeps {
  readonly db: Database
  readonly users: UserStore
  /** Epoch ms. */
  readonly now: () => number
}

/** The user's own account: profile and privacy settings, under `/api/account`. */
export function createProfile({ db, users, now }: ProfileDeps): Feature {
  const privacy = new PrivacyStore(db)
  return {
    name: 'profile',
    endpoints: profileEndpoints({ users, privacy, now }),
    exportSections: profileSections({ users, privacy }),
  }
}
