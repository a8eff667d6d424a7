import { getJwks } from './get-jwks.ts'
import { getWebApp } from './get-web-app.ts'
import { issueWebToken } from './issue-web-token.ts'

/** Signing in to the web pages of apps. */
export const oauthEndpoints = [getWebApp, issueWebToken, getJwks]
