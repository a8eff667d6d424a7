import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { appParams } from '../../http/schemas.ts'
import type { CatalogueEndpointDeps } from './deps.ts'
import { notifyAppsChanged } from './notify-apps-changed.ts'
import { appPath, messageResponse } from './schemas.ts'

/** Stops an app and uninstalls it for the user (decision C10). */
export const uninstallApp = ({ catalogue, sessions }: CatalogueEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: [...appPath('/uninstall/:packageName'), ...appPath('/:packageName/uninstall')],
    summary: 'Uninstall an app',
    tags: ['apps'],
    style: 'envelope',
    auth: coreToken,
    schema: { params: appParams, response: { 200: messageResponse } },
    errors: ['SYSTEM_APP_NOT_UNINSTALLABLE', 'APP_TO_UNINSTALL_NOT_FOUND', 'APP_NOT_INSTALLED'],
    invalid: 'APP_TO_UNINSTALL_NOT_FOUND',
    handler: async ({ caller: { user }, params, log }) => {
      if (catalogue.isSystemApp(params.packageName)) throw fault('SYSTEM_APP_NOT_UNINSTALLABLE')
      const app = await catalogue.find(params.packageName, user)
      if (app === undefined) throw fault('APP_TO_UNINSTALL_NOT_FOUND')
      if (!(await catalogue.hasInstalled(user, app))) throw fault('APP_NOT_INSTALLED')
      const session = await sessions.find(user.id)
      await session?.stopApp(app.packageName)
      const outcome = await catalogue.uninstall(user, app)
      if (outcome === 'unchanged') throw fault('APP_NOT_INSTALLED')
      await notifyAppsChanged(sessions, user, log)
      return { success: true as const, message: `App ${app.packageName} uninstalled successfully` }
    },
  })
