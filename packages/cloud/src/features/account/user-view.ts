import type { AccountUser } from '@glasses-cloud/contract'
import type { User } from '../../identity/index.ts'

/** A user as an update of the profile answers it. */
export function updatedUserView({ id, email, name, profile }: User): Omit<AccountUser, 'createdAt'> {
  return { id, email, name, profile: { displayName: '', phoneNumber: '', ...profile } }
}

/** A user as `GET /api/account/me` shows it. */
export function userView(user: User): AccountUser {
  return { ...updatedUserView(user), createdAt: new Date(user.createdAt).toISOString() }
}
