import { appHealthBody, appHealthResponse } from '@glasses-cloud/contract'
import { optionalCoreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { PhoneEndpointDeps } from './deps.ts'

/**
 * Reports whether an app can be started. Phones request this before each start and offer to uninstall an app that
 * cannot, so an app that the caller may not see counts as healthy; its server is not asked.
 */
export const checkAppHealth = ({ catalogue, healthChecks, now }: PhoneEndpointDeps) =>
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
  })
