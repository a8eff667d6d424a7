import { onboardingInstructionsQuery, onboardingInstructionsResponse } from '@glasses-cloud/contract'
import { optionalCoreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { PhoneEndpointDeps } from './deps.ts'

/** Returns the developer's instructions for new users of an app. */
export const getOnboardingInstructions = ({ catalogue }: PhoneEndpointDeps) =>
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
  })
