import type { AppCaller, UserCaller } from '../../http/auth/index.ts'
import { fault } from '../../http/fault.ts'
import type { Authenticator } from '../../identity/index.ts'
import type { Catalogue } from '../catalogue/index.ts'

/** A user and an app, by their ids. */
export interface OnboardingPlace {
  readonly userId: string
  readonly appId: string
}

/**
 * Whose introduction to which app is meant. Users ask about themselves, apps about the users who have them; whether
 * anybody else has an account, an app does not learn.
 * @throws Fault otherwise
 */
export async function onboardingPlace(
  { authenticator, catalogue }: { readonly authenticator: Authenticator; readonly catalogue: Catalogue },
  caller: UserCaller | AppCaller,
  { email, packageName }: { readonly email: string; readonly packageName: string },
): Promise<OnboardingPlace> {
  const user = await authenticator.findUserByEmail(email)
  if (caller.kind === 'user') {
    if (user?.id !== caller.user.id) throw fault('ONBOARDING_FORBIDDEN')
  } else if (user === undefined || caller.app.packageName !== packageName) throw fault('ONBOARDING_FORBIDDEN')
  // No package is named with a control character, and not every database takes the question.
  const app = /\p{Cc}/u.test(packageName) ? undefined : await catalogue.find(packageName, user)
  if (caller.kind === 'app') {
    const isInUse =
      app !== undefined && (catalogue.isSystemApp(packageName) || (await catalogue.hasInstalled(user, app)))
    if (!isInUse) throw fault('ONBOARDING_FORBIDDEN')
  }
  if (app === undefined) throw fault('APP_NOT_FOUND')
  return { userId: user.id, appId: app.id }
}
