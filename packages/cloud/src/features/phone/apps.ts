import { type Applet, appletsResponse } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { type App, isKnownDown, readLiveState } from '../catalogue/index.ts'
import type { PhoneEndpointDeps } from './deps.ts'
import { ack } from './schemas.ts'

const APPLET_TYPES = {
  STANDARD: 'standard',
  BACKGROUND: 'background',
  SYSTEM_DASHBOARD: 'system_dashboard',
} as const

/** Returns the apps of the user's home screen. */
export const getApplets = ({ sessions, now, catalogue }: PhoneEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/client/apps',
    summary: 'List the apps of the home screen',
    tags: ['phone'],
    style: 'bare',
    auth: coreToken,
    schema: { response: { 200: appletsResponse } },
    errors: [],
    handler: async ({ caller: { user }, log }) => {
      const at = now()
      const [apps, live] = await Promise.all([
        catalogue.listInstalled(user),
        readLiveState(sessions, user, log),
      ])
      const data = apps
        .filter(({ packageName }) => !catalogue.isDashboard(packageName))
        .map((app) => appletOf(app, live.isRunning(app.packageName), at))
      return { ...ack(at), data }
    },
  })

const appletOf = (app: App, running: boolean, now: number): Applet => ({
  packageName: app.packageName,
  name: app.name,
  webviewUrl: app.webviewUrl ?? '',
  logoUrl: app.logoUrl,
  type: APPLET_TYPES[app.appType],
  permissions: [...app.permissions],
  running,
  healthy: !isKnownDown(app, now),
  hardwareRequirements: [...app.hardwareRequirements],
})
