import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { appParams, successResponse } from '../../http/schemas.ts'
import { requireAppAdmin } from './access.ts'
import type { DeveloperEndpointDeps } from './deps.ts'
import { stopEverywhere } from './stop-everywhere.ts'

/** Deletes an app with its keys, images, installs and stored data; it is stopped for all users. */
export const deleteApp = (deps: DeveloperEndpointDeps) =>
  endpoint({
    method: 'DELETE',
    url: developerPath('/apps/:packageName'),
    summary: 'Delete an app',
    tags: ['developer'],
    style: 'coded',
    auth: coreOrPersonalToken('apps:write'),
    schema: { params: appParams, response: { 200: successResponse } },
    errors: ['APP_NOT_FOUND', 'APP_ADMIN_REQUIRED'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller: { user }, params, log }) => {
      const { apps, images, changes } = deps
      const app = await requireAppAdmin(deps, user, params.packageName)
      const users = await apps.usersRunning(app.id)
      if (!(await apps.remove(app.id))) throw fault('APP_NOT_FOUND')
      // Closes the sockets of the deleted keys.
      await changes.catchUp()
      await stopEverywhere(deps, app, users, log)
      await images.deleteAll(app, log)
      return { success: true as const }
    },
  })
