import {
  completeOnboardingBody,
  completeOnboardingResponse,
  onboardingInstructionsQuery,
  onboardingInstructionsResponse,
  onboardingQuery,
  onboardingStatusResponse,
} from '@glasses-cloud/contract'
import {
  type AppCaller,
  appKeyHeaders,
  coreToken,
  eitherOf,
  optionalCoreToken,
  type UserCaller,
} from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { Authenticator } from '../../identity/index.ts'
import type { Catalogue } from '../catalogue/index.ts'
import type { PhoneEndpointDeps } from './device-endpoints.ts'

const common = {
  tags: ['phone'],
  style: 'bare',
  auth: eitherOf(coreToken, appKeyHeaders),
  errors: ['ONBOARDING_FORBIDDEN', 'APP_NOT_FOUND'],
} as const

/** The user and the app of an onboarding request, by id. */
export interface OnboardingSubject {
  readonly userId: string
  readonly appId: string
}

export const onboardingEndpoints = ({
  authenticator,
  catalogue,
  now,
  onboardings,
}: PhoneEndpointDeps): Endpoint[] => [
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/onboarding/status',
    namedUser: { in: 'query', field: 'email', as: 'email' },
    summary: 'Get whether the user completed the onboarding of the app',
    schema: { querystring: onboardingQuery, response: { 200: onboardingStatusResponse } },
    handler: async ({ caller, query }) => {
      const { userId, appId } = await resolveOnboarding({ authenticator, catalogue }, caller, query)
      return { hasCompletedOnboarding: await onboardings.isComplete(userId, appId) }
    },
  }),
  endpoint({
    ...common,
    method: 'POST',
    url: '/api/onboarding/complete',
    namedUser: 'none',
    summary: 'Record that the user completed the onboarding of the app',
    schema: { body: completeOnboardingBody, response: { 200: completeOnboardingResponse } },
    handler: async ({ caller, body }) => {
      const { userId, appId } = await resolveOnboarding({ authenticator, catalogue }, caller, body)
      await onboardings.complete(userId, appId, now())
      return { success: true as const, hasCompletedOnboarding: true as const }
    },
  }),
  endpoint({
    method: 'GET',
    url: ['/api/onboarding/instructions', '/api/instructions'],
    summary: 'Get the instructions for new users of an app',
    tags: ['phone'],
    style: 'bare',
    auth: optionalCoreToken,
    schema: { querystring: onboardingInstructionsQuery, response: { 200: onboardingInstructionsResponse } },
    errors: ['PACKAGE_NAME_REQUIRED', 'APP_NOT_FOUND'],
    invalid: 'PACKAGE_NAME_REQUIRED',
    handler: async ({ caller, query: { packageName } }) => {
      const user = caller.kind === 'user' ? caller.user : undefined
      // PostgreSQL rejects strings with U+0000.
      const app = /\p{Cc}/u.test(packageName) ? undefined : await catalogue.find(packageName, user)
      if (app === undefined) throw fault('APP_NOT_FOUND')
      return { instructions: app.onboardingInstructions }
    },
  }),
]

/**
 * Resolves the user and the app of a request. Users may access their own state, apps that of users who have the app;
 * the fault does not reveal whether a user exists.
 * @throws Fault `ONBOARDING_FORBIDDEN` or `APP_NOT_FOUND`
 */
async function resolveOnboarding(
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
