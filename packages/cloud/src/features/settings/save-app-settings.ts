import { settingChanges } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { appParams } from '../../http/schemas.ts'
import type { SettingsEndpointDeps } from './deps.ts'
import { appSettingsPath, visibleApp } from './schemas.ts'

/** Saves settings of an app and notifies the app. */
export const saveAppSettings = ({ catalogue, config, appSettings }: SettingsEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: appSettingsPath('/:packageName'),
    summary: 'Save settings of an app',
    tags: ['settings'],
    style: 'bare',
    auth: coreToken,
    schema: {
      params: appParams,
      body: settingChanges,
      response: { 200: Type.Object({ success: Type.Literal(true), message: Type.String() }) },
    },
    errors: ['APP_NOT_FOUND', 'BAD_REQUEST'],
    invalid: ({ part }) => (part === 'params' ? 'APP_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user }, params, body }) => {
      const app = await visibleApp({ catalogue, config }, user, params.packageName)
      await appSettings.save(user, app, [body].flat())
      return { success: true as const, message: 'Settings saved' }
    },
  })
