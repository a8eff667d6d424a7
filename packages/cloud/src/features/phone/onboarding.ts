import {
  completeOnboardingBody,
  completeOnboardingResponse,
  onboardingQuery,
  onboardingStatusResponse,
} from '@glasses-cloud/contract'
import { appKeyHeaders, coreToken, eitherOf } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { PhoneEndpointDeps } from './deps.ts'
import { onboardingPlace } from './onboarding-place.ts'

const common = {
  tags: ['phone'],
  style: 'bare',
  auth: eitherOf(coreToken, appKeyHeaders),
  errors: ['ONBOARDING_FORBIDDEN', 'APP_NOT_FOUND'],
} as const

/** Whether a user has been introduced to an app. */
export const getOnboardingStatus = ({ authenticator, catalogue, onboardings }: PhoneEndpointDeps) =>
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/onboarding/status',
    summary: 'Has the user been introduced to the app?',
    schema: { querystring: onboardingQuery, response: { 200: onboardingStatusResponse } },
    handler: async ({ caller, query }) => {
      const { userId, appId } = await onboardingPlace({ authenticator, catalogue }, caller, query)
      return { hasCompletedOnboarding: await onboardings.isComplete(userId, appId) }
    },
  })

/** A user has been introduced to an app. */
export const completeOnboarding = ({ authenticator, catalogue, onboardings, now }: PhoneEndpointDeps) =>
  endpoint({
    ...common,
    method: 'POST',
    url: '/api/onboarding/complete',
    summary: 'Note that the user has been introduced to the app',
    schema: { body: completeOnboardingBody, response: { 200: completeOnboardingResponse } },
    handler: async ({ caller, body }) => {
      const { userId, appId } = await onboardingPlace({ authenticator, catalogue }, caller, body)
      await onboardings.complete(userId, appId, now())
      return { success: true as const, hasCompletedOnboarding: true as const }
    },
  })
