import type { AppCaller, UserCaller } from '../../http/auth/index.ts'
import { fault } from '../../http/fault.ts'
import type { Authenticator } from '../../identity/index.ts'
import type { Catalogue } from '../catalogue/index.ts'

/** The user and the app of an onboarding request, by id. */
export interface OnboardingSubject {
  readonly userId: string
  readonly appId: string
}

/**
 * Resolves the user and the app of a request. Users may access their own state, apps that of users who have the app;
 * the fault does not reveal whether a user exists.
 * @throws Fault `ONBOARDING_FORBIDDEN` or `APP_NOT_FOUND`
 */
export async function resolveOnboarding(
  { authenticator, catalogue }: { readonly authenticator: Authenticator; readonly catalogue: Catalogue },
  caller: UserCaller | AppCaller,
  { email, packageName }: { readonly email: string; readonly packageName: string },
): Promise<OnboardingSubject> {
  const user = await authenticator.findUserByEmail(email)
  if (caller.kind === 'user') {
    if (user?.id !== caller.user.id) throw fault('ONBOARDING_FORBIDDEN')
  } else if (user === undefined || caller.app.packageName !== packageName) throw fault('ONBOARDING_FORBIDDEN')
  // PostgreSQL rejects strings with U+0000.
  const app = /\p{Cc}/u.test(packageName) ? undefined : await catalogue.find(packageName, user)
  if (caller.kind === 'app') {
    const isInUse =
      app !== undefined && (catalogue.isSystemApp(packageName) || (await catalogue.hasInstalled(user, app)))
    if (!isInUse) throw fault('ONBOARDING_FORBIDDEN')
  }
  if (app === undefined) throw fault('APP_NOT_FOUND')
  return { userId: user.id, appId: app.id }
}
