import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { appParams } from '../../http/schemas.ts'
import type { CatalogueEndpointDeps } from './deps.ts'
import { appPath, lifecycleResponse } from './schemas.ts'

/** Stops an app in the user's live session (decisions C7 and C9). */
export const stopApp = ({ sessions, catalogue }: CatalogueEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: appPath('/:packageName/stop'),
    summary: 'Stop an app',
    tags: ['apps'],
    style: 'envelope',
    auth: coreToken,
    schema: { params: appParams, response: { 200: lifecycleResponse('stopped') } },
    errors: ['NO_SESSION', 'APP_NOT_FOUND', 'APP_STOP_FAILED'],
    invalid: 'APP_NOT_FOUND',
    failure: 'APP_STOP_FAILED',
    handler: async ({ caller: { user }, params: { packageName } }) => {
      const session = await sessions.find(user.id)
      if (session === undefined) throw fault('NO_SESSION')
      const { apps } = await session.appState()
      // A running app can be stopped even if the user may no longer see it.
      const isLive = apps.some((app) => app.packageName === packageName)
      if (!isLive && (await catalogue.find(packageName, user)) === undefined) throw fault('APP_NOT_FOUND')
      await session.stopApp(packageName)
      const appState = await session.appState()
      return { success: true as const, data: { status: 'stopped' as const, packageName, appState } }
    },
  })
