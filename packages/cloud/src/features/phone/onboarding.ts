import {
  completeOnboardingBody,
  completeOnboardingResponse,
  onboardingQuery,
  onboardingStatusResponse,
} from '@glasses-cloud/contract'
import { appKeyHeaders, coreToken, eitherOf } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { PhoneEndpointDeps } from './deps.ts'
import { resolveOnboarding } from './resolve-onboarding.ts'

const common = {
  tags: ['phone'],
  style: 'bare',
  auth: eitherOf(coreToken, appKeyHeaders),
  errors: ['ONBOARDING_FORBIDDEN', 'APP_NOT_FOUND'],
} as const

export const getOnboardingStatus = ({ authenticator, catalogue, onboardings }: PhoneEndpointDeps) =>
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
  })

export const completeOnboarding = ({ authenticator, catalogue, onboardings, now }: PhoneEndpointDeps) =>
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
  })
