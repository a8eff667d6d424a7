import { userSettingsBody, userSettingsResponse } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { SettingsEndpointDeps } from './deps.ts'
import { toResponse } from './schemas.ts'

/** Merges settings into those of the user; some phones use `PUT`, others `POST`. */
const save = (method: 'PUT' | 'POST', { userSettings, now }: SettingsEndpointDeps) =>
  endpoint({
    method,
    url: '/api/client/user/settings',
    summary: 'Merge settings into those of the user',
    tags: ['settings'],
    style: 'bare',
    auth: coreToken,
    schema: { body: userSettingsBody, response: { 200: userSettingsResponse } },
    errors: ['TOO_MANY_SETTINGS'],
    handler: async ({ caller: { user }, body }) => {
      await userSettings.merge(user.id, body.settings)
      return toResponse({ settings: await userSettings.all(user.id) }, now())
    },
  })

export const saveUserSettings = (deps: SettingsEndpointDeps) => [save('PUT', deps), save('POST', deps)]
