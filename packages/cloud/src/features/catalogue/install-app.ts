import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { appParams } from '../../http/schemas.ts'
import type { CatalogueEndpointDeps } from './deps.ts'
import { notifyAppsChanged } from './notify-apps-changed.ts'
import { appPath, messageResponse } from './schemas.ts'

/** Installs an app for the user. */
export const installApp = ({ catalogue, sessions }: CatalogueEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: appPath('/install/:packageName'),
    summary: 'Install an app',
    tags: ['apps'],
    style: 'envelope',
    auth: coreToken,
    schema: { params: appParams, response: { 200: messageResponse } },
    errors: ['APP_NOT_FOUND', 'APP_ALREADY_INSTALLED'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller: { user }, params, log }) => {
      const app = await catalogue.find(params.packageName, user)
      if (app === undefined) throw fault('APP_NOT_FOUND')
      const outcome = await catalogue.install(user, app)
      if (outcome === 'unchanged') throw fault('APP_ALREADY_INSTALLED')
      await notifyAppsChanged(sessions, user, log)
      return { success: true as const, message: `App ${app.packageName} installed successfully` }
    },
  })
