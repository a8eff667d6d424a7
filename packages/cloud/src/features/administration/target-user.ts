import type { AdminUser } from '@glasses-cloud/contract'
import { fault } from '../../http/fault.ts'
import type { User, UserStore } from '../../identity/index.ts'
import { iso } from './schemas.ts'

/**
 * Finds the user that an administrator acts on.
 * @throws Fault `USER_NOT_FOUND`; `OWN_ACCOUNT` for the administrator, so that one remains
 */
export async function findTarget(users: UserStore, actor: User, userId: string): Promise<User> {
  const user = await users.findById(userId)
  if (user === undefined) throw fault('USER_NOT_FOUND')
  if (user.id === actor.id) throw fault('OWN_ACCOUNT')
  return user
}

/** Returns a user as administrators see one. */
export function toAdminUser({ id, email, name, isAdministrator, suspendedAt, createdAt }: User): AdminUser {
  return {
    id,
    email,
    name,
    isAdministrator,
    ...(suspendedAt !== undefined && { suspendedAt: iso(suspendedAt) }),
    createdAt: iso(createdAt),
  }
}
