import { allowedApiKey, coreToken, eitherOf } from '../../http/auth/index.ts'
import { fault } from '../../http/fault.ts'
import { normalizeEmail, type User } from '../../identity/index.ts'
import type { App, Catalogue } from '../catalogue/index.ts'

/** Called by the user or by an assistant that may act for users. */
export const common = { tags: ['tools'], style: 'bare', auth: eitherOf(coreToken, allowedApiKey) } as const

/**
 * Returns an app.
 * @throws Fault `APP_NOT_FOUND` if the user may not see it
 */
export async function visibleApp(catalogue: Catalogue, user: User, packageName: string): Promise<App> {
  const app = await catalogue.find(packageName, user)
  if (app === undefined) throw fault('APP_NOT_FOUND')
  return app
}

/**
 * Rejects a request that names another user than its credential.
 * @throws Fault `TOOL_USER_MISMATCH`, which does not reveal whether the named user exists
 */
export function checkUser(user: User, userId: string | undefined): void {
  if (userId !== undefined && normalizeEmail(userId) !== user.email) throw fault('TOOL_USER_MISMATCH')
}
