import { appSettingsPage } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { appParams } from '../../http/schemas.ts'
import type { SettingsEndpointDeps } from './deps.ts'
import { appSettingsPath, visibleApp } from './schemas.ts'

/** Returns the settings page of an app: its declarations with the user's values. */
export const getAppSettings = ({ catalogue, config, appSettings }: SettingsEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: appSettingsPath('/:packageName'),
    summary: 'Get the settings page of an app',
    tags: ['settings'],
    style: 'bare',
    auth: coreToken,
    schema: { params: appParams, response: { 200: appSettingsPage } },
    errors: ['APP_NOT_FOUND'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller: { user }, params }) => {
      const app = await visibleApp({ catalogue, config }, user, params.packageName)
      const { organization } = app
      return {
        success: true as const,
        userId: user.email,
        name: app.name,
        description: app.description,
        uninstallable: !catalogue.isSystemApp(app.packageName),
        webviewURL: app.webviewUrl ?? '',
        // Apps have no versions, but clients read the field.
        version: '1.0.0',
        settings: await appSettings.page(user, app),
        permissions: [...app.permissions],
        organization: organization && { ...organization.profile, name: organization.name },
      }
    },
  })
