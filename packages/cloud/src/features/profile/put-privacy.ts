import { privacySettings, privacyUpdate } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { ProfileEndpointDeps } from './deps.ts'

/** Changes the given privacy settings; the others remain unchanged (decision A1). */
export const putPrivacy = ({ privacy, now }: ProfileEndpointDeps) =>
  endpoint({
    method: 'PUT',
    url: '/api/account/privacy',
    summary: 'Change privacy settings',
    tags: ['account'],
    style: 'bare',
    auth: coreToken,
    schema: { body: privacyUpdate, response: { 200: privacySettings } },
    errors: ['PRIVACY_NOT_UPDATED'],
    failure: 'PRIVACY_NOT_UPDATED',
    handler: async ({ caller, body }) => privacy.merge(caller.user.id, body, now()),
  })
