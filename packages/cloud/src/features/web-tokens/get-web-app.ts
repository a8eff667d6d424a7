import { webApp } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { OAuthEndpointDeps } from './deps.ts'
import { findWebApp } from './find-web-app.ts'

/** Returns the details of an app that are shown before the user signs in to its web page. */
export const getWebApp = ({ catalogue }: OAuthEndpointDeps) =>
  endpoint({
    method: 'GET',
    // The alias without a package name returns 400 instead of 404.
    url: ['/api/account/oauth/app/:packageName', '/api/account/oauth/app'],
    summary: 'Get the details of an app to sign in to',
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
      const app = await findWebApp(catalogue, params.packageName, caller.user)
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
