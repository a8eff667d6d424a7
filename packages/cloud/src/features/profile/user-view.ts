import type { AccountUser } from '@glasses-cloud/contract'
import type { User } from '../../identity/index.ts'

/** Returns a user as a profile update returns it. */
export function toUpdatedUser({ id, email, name, profile }: User): Omit<AccountUser, 'createdAt'> {
  return { id, email, name, profile: { displayName: '', phoneNumber: '', ...profile } }
}

/** Returns a user as `GET /api/account/me` returns it. */
export function toAccountUser(user: User): AccountUser {
  return { ...toUpdatedUser(user), createdAt: new Date(user.createdAt).toISOString() }
}
