import { PACKAGE_NAME_PATTERN } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { allowedApiKey, coreToken, eitherOf } from '../../http/auth/index.ts'
import { fault } from '../../http/fault.ts'
import { normalizeEmail, type User } from '../../identity/index.ts'
import type { App, Catalogue } from '../catalogue/index.ts'

/** What every endpoint of tools has: the user calls, or an assistant that may act for users. */
export const common = { tags: ['tools'], style: 'bare', auth: eitherOf(coreToken, allowedApiKey) } as const

/** Path parameter of one app. What no package can be named cannot be found, so it is no bad request. */
export const appParams = Type.Object({ packageName: Type.String({ pattern: PACKAGE_NAME_PATTERN }) })

/**
 * The app whose tools are meant.
 * @throws Fault if the user may not see it
 */
export async function visibleApp(catalogue: Catalogue, user: User, packageName: string): Promise<App> {
  const app = await catalogue.find(packageName, user)
  if (app === undefined) throw fault('APP_NOT_FOUND')
  return app
}

/**
 * Sees to it that a user named beside the credential is the one it speaks for.
 * @throws Fault otherwise, which does not tell whether there is such a user
 */
export function checkUser(user: User, userId: string | undefined): void {
  if (userId !== undefined && normalizeEmail(userId) !== user.email) throw fault('TOOL_USER_MISMATCH')
}
