import { webApp } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { OAuthEndpointDeps } from './deps.ts'
import { webAppOf } from './web-app.ts'

/** What a user is shown before signing in to the web page of an app. */
export const getWebApp = ({ catalogue }: OAuthEndpointDeps) =>
  endpoint({
    method: 'GET',
    // Without a package name there is a clear answer too.
    url: ['/api/account/oauth/app/:packageName', '/api/account/oauth/app'],
    summary: 'Details of an app to sign in to',
    tags: ['account'],
    style: 'bare',
    auth: coreToken,
    schema: {
      params: Type.Object({ packageName: Type.String({ minLength: 1 }) }),
      response: { 200: Type.Object({ success: Type.Literal(true), app: webApp }) },
    },
    errors: ['PACKAGE_NAME_REQUIRED', 'APP_NOT_FOUND', 'NO_WEB_AUTHENTICATION'],
    invalid: 'PACKAGE_NAME_REQUIRED',
    handler: async ({ caller, params }) => {
      const app = await webAppOf(catalogue, params.packageName, caller.user)
      return {
        success: true as const,
        app: {
          name: app.name,
          packageName: app.packageName,
          webviewURL: app.webviewUrl,
          description: app.description,
          icon: app.logoUrl,
        },
      }
    },
  })
