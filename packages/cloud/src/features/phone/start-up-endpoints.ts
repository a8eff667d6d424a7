import {
  type Applet,
  appHealthBody,
  appHealthResponse,
  appletsResponse,
  healthResponse,
  minVersionResponse,
} from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken, none, optionalCoreToken } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { type App, isKnownDown, readLiveState } from '../catalogue/index.ts'
import { ack, ackSchemaWith, type PhoneEndpointDeps } from './device-endpoints.ts'

const APPLET_TYPES = {
  STANDARD: 'standard',
  BACKGROUND: 'background',
  SYSTEM_DASHBOARD: 'system_dashboard',
} as const

export const startUpEndpoints = ({
  catalogue,
  config,
  healthChecks,
  liveSessions,
  now,
  sessions,
}: PhoneEndpointDeps): Endpoint[] => [
  endpoint({
    method: 'GET',
    url: '/api/client/min-version',
    summary: 'Get the required and recommended versions of the phone app',
    tags: ['phone'],
    style: 'bare',
    auth: none,
    schema: { response: { 200: minVersionResponse } },
    errors: [],
    handler: async () => ({
      ...ack(now()),
      data: { required: config.phones.requiredVersion, recommended: config.phones.recommendedVersion },
    }),
  }),
  endpoint({
    method: 'GET',
    url: '/health',
    summary: 'Get the state of the cloud',
    tags: ['operation'],
    style: 'bare',
    auth: none,
    schema: { response: { 200: healthResponse } },
    limits: { perMinute: 'unlimited' },
    errors: [],
    handler: async () => ({
      status: 'ok' as const,
      timestamp: new Date(now()).toISOString(),
      sessions: { activeCount: liveSessions() },
      uptime: process.uptime(),
    }),
  }),
  endpoint({
    method: 'GET',
    url: '/api/client/livekit/token',
    summary: 'Request a LiveKit room; not supported',
    tags: ['phone'],
    style: 'bare',
    auth: coreToken,
    schema: {
      response: {
        200: ackSchemaWith({
          data: Type.Object({
            url: Type.String(),
            token: Type.String(),
            room: Type.String(),
            identity: Type.String(),
          }),
        }),
      },
    },
    errors: ['LIVEKIT_NOT_CONFIGURED'],
    handler: async () => {
      throw fault('LIVEKIT_NOT_CONFIGURED')
    },
  }),
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
  }),
  // Reports whether an app can be started. Phones request this before each start and offer to uninstall an app
  // that cannot, so an app that the caller may not see counts as healthy; its server is not asked.
  endpoint({
    method: 'POST',
    url: '/api/app-uptime/app-pkg-health-check',
    summary: 'Ask the server of an app whether it responds',
    tags: ['phone'],
    style: 'bare',
    auth: optionalCoreToken,
    schema: { body: appHealthBody, response: { 200: appHealthResponse } },
    errors: ['PACKAGE_NAME_REQUIRED'],
    invalid: 'PACKAGE_NAME_REQUIRED',
    handler: async ({ caller, body: { packageName } }) => {
      const user = caller.kind === 'user' ? caller.user : undefined
      // PostgreSQL rejects strings with U+0000.
      const app = /\p{Cc}/u.test(packageName) ? undefined : await catalogue.find(packageName, user)
      const success = app === undefined || (await healthChecks.isHealthy(app))
      const timestamp = new Date(now()).toISOString()
      return { packageName, success, status: success ? (200 as const) : (500 as const), timestamp }
    },
  }),
]

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
