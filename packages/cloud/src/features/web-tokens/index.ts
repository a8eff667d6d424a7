import { webApp } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { Config } from '../../config/index.ts'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import { coreToken, none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { ApiKeyStore, User } from '../../identity/index.ts'
import type { App, Catalogue } from '../catalogue/index.ts'
import { SigningKeyStore } from './signing-key-store.ts'
import { WebTokens } from './web-tokens.ts'

export { SigningKeys } from './signing-key.ts'
export { SigningKeyStore } from './signing-key-store.ts'
export type { WebTokens } from './web-tokens.ts'

interface WebTokenEndpointDeps {
  readonly catalogue: Catalogue
  readonly webTokens: WebTokens
}

/** An app with web sign-in. */
interface WebApp extends App {
  readonly webviewUrl: string
}

/**
 * Returns the app a user signs in to.
 * @throws Fault `APP_NOT_FOUND` if the user may not see it, `NO_WEB_AUTHENTICATION` if it has no web sign-in
 */
export async function findWebApp(catalogue: Catalogue, packageName: string, user: User): Promise<WebApp> {
  // PostgreSQL rejects strings with U+0000.
  const app = /\p{Cc}/u.test(packageName) ? undefined : await catalogue.find(packageName, user)
  if (app === undefined) throw fault('APP_NOT_FOUND')
  if (app.webviewUrl === null) throw fault('NO_WEB_AUTHENTICATION')
  return { ...app, webviewUrl: app.webviewUrl }
}

/**
 * Requires a confirmed address, by which web pages of apps recognize their users (TRU-3).
 * @throws Fault `ADDRESS_NOT_CONFIRMED`
 */
export function requireConfirmed({ isEmailVerified }: User): void {
  if (!isEmailVerified) throw fault('ADDRESS_NOT_CONFIRMED')
}

/** Returns the details of an app that are shown before the user signs in to its web page. */
const getWebApp = ({ catalogue }: WebTokenEndpointDeps) =>
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

/** Issues the token with which the user signs in to the web page of an app (decision I6). */
const issueWebToken = ({ catalogue, webTokens }: WebTokenEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/account/oauth/token',
    summary: 'Issue a token for the web page of an app',
    tags: ['account'],
    style: 'bare',
    auth: coreToken,
    schema: {
      body: Type.Object({ packageName: Type.String({ minLength: 1 }) }),
      response: {
        200: Type.Object({
          success: Type.Literal(true),
          token: Type.String({ description: 'RS256; verified with /.well-known/jwks.json' }),
          expiresIn: Type.Literal('10m'),
        }),
      },
    },
    errors: [
      'PACKAGE_NAME_REQUIRED',
      'APP_NOT_FOUND',
      'NO_WEB_AUTHENTICATION',
      'ADDRESS_NOT_CONFIRMED',
      'TOKEN_NOT_GENERATED',
    ],
    invalid: 'PACKAGE_NAME_REQUIRED',
    failure: 'TOKEN_NOT_GENERATED',
    handler: async ({ caller: { user }, body }) => {
      const app = await findWebApp(catalogue, body.packageName, user)
      requireConfirmed(user)
      const token = await webTokens.issue(user.email, app)
      return { success: true as const, token, expiresIn: '10m' as const }
    },
  })

const jwk = Type.Object(
  {
    kty: Type.Literal('RSA'),
    kid: Type.String(),
    alg: Type.Literal('RS256'),
    use: Type.Literal('sig'),
    n: Type.String(),
    e: Type.String(),
  },
  { title: 'JWK' },
)

/** Returns the public key of the tokens for web pages of apps (RFC 7517), to any origin. */
const getJwks = ({ webTokens }: WebTokenEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/.well-known/jwks.json',
    summary: 'Get the keys that verify tokens for web pages of apps',
    tags: ['account'],
    style: 'bare',
    auth: none,
    anyOrigin: true,
    schema: { response: { 200: Type.Object({ keys: Type.Array(jwk) }) } },
    errors: [],
    handler: async ({ reply }) =>
      reply.header('cache-control', 'public, max-age=300').send(await webTokens.publicKeys()),
  })

/** The endpoints of the sign-in to web pages of apps. */
const webTokenEndpoints = (deps: WebTokenEndpointDeps) => [
  getWebApp(deps),
  issueWebToken(deps),
  getJwks(deps),
]

export interface WebTokensDeps {
  readonly db: Database
  readonly config: Pick<Config, 'auth'>
  readonly apiKeyStore: ApiKeyStore
  readonly catalogue: Catalogue
  /** The accepted values of `AUTH_SECRET`, the current one first. */
  readonly secrets: readonly string[]
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
  /** Epoch ms. */
  readonly now: () => number
}

/** Sign-in to the web pages of apps (decision I6). */
export function createWebTokens(deps: WebTokensDeps): Feature & { readonly webTokens: WebTokens } {
  const { db, config, apiKeyStore, catalogue, secrets, publicUrl, now } = deps
  const webTokens = new WebTokens({
    keys: new SigningKeyStore(db),
    apiKeys: apiKeyStore,
    secrets,
    issuer: () => config.auth.oauthIssuer ?? publicUrl().href.replace(/\/$/, ''),
    now,
  })
  return {
    name: 'web-tokens',
    webTokens,
    endpoints: webTokenEndpoints({ webTokens, catalogue }),
  }
}
