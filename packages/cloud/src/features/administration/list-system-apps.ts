import { systemApp } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { dataResponse } from '../../http/schemas.ts'
import { isKnownDown } from '../catalogue/index.ts'
import type { AdministrationEndpointDeps } from './deps.ts'

/** Lists the apps that the settings install for every user, registered or not. */
export const listSystemApps = ({ apps, config, now }: AdministrationEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/admin/system-apps',
    summary: 'List system apps',
    tags: ['administration'],
    style: 'coded',
    auth: administrator,
    schema: { response: { 200: dataResponse(Type.Array(systemApp)) } },
    errors: [],
    handler: async () => {
      const { system, dashboard } = config.apps
      const names = [...new Set([...system, dashboard])]
      const registered = new Map((await apps.findByPackages(names)).map((app) => [app.packageName, app]))
      const data = names.map((packageName) => {
        const app = registered.get(packageName)
        return {
          packageName,
          isRegistered: app !== undefined,
          isDashboard: packageName === dashboard,
          ...(app && { name: app.name, publicUrl: app.publicUrl, isServerDown: isKnownDown(app, now()) }),
        }
      })
      return { success: true as const, data }
    },
  })
