import { appHealthBody, appHealthResponse } from '@glasses-cloud/contract'
import { optionalCoreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { PhoneEndpointDeps } from './deps.ts'

/**
 * Whether an app can be started, as phones ask before each start: they offer to uninstall one that cannot. So only
 * what is known to be down, and still is, is; of what the caller may not see nothing is known.
 */
export const checkAppHealth = ({ catalogue, now }: PhoneEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/app-uptime/app-pkg-health-check',
    summary: 'Is the server of an app known to be down?',
    tags: ['phone'],
    style: 'bare',
    auth: optionalCoreToken,
    schema: { body: appHealthBody, response: { 200: appHealthResponse } },
    errors: ['PACKAGE_NAME_REQUIRED'],
    invalid: 'PACKAGE_NAME_REQUIRED',
    handler: async ({ caller, body: { packageName } }) => {
      const user = caller.kind === 'user' ? caller.user : undefined
      // No package is named with a control character, and not every database takes the question.
      const app = /\p{Cc}/u.test(packageName) ? undefined : await catalogue.find(packageName, user)
      const success = app === undefined || !(await catalogue.isDown(app))
      const timestamp = new Date(now()).toISOString()
      return { packageName, success, status: success ? (200 as const) : (500 as const), timestamp }
    },
  })
