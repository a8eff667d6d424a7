import { userSettingsResponse } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { SettingsEndpointDeps } from './deps.ts'
import { toResponse } from './schemas.ts'

/** Returns all settings that the phone stored for its user. */
export const getUserSettings = ({ userSettings, now }: SettingsEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/client/user/settings',
    summary: 'Get the settings of the user',
    tags: ['settings'],
    style: 'bare',
    auth: coreToken,
    schema: { response: { 200: userSettingsResponse } },
    errors: [],
    handler: async ({ caller: { user } }) => toResponse({ settings: await userSettings.all(user.id) }, now()),
  })
