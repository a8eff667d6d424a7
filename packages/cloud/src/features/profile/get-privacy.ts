import { privacySettings } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { ProfileEndpointDeps } from './deps.ts'

/** Returns the privacy settings of the user, or the defaults (decision A1). */
export const getPrivacy = ({ privacy }: ProfileEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/account/privacy',
    summary: 'Get the privacy settings',
    tags: ['account'],
    style: 'bare',
    auth: coreToken,
    schema: { response: { 200: privacySettings } },
    errors: [],
    handler: async ({ caller }) => (await privacy.find(caller.user.id)).settings,
  })
