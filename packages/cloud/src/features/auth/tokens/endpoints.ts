import { createHmac } from 'node:crypto'
import { exchangeTokenBody, exchangeTokenResponse } from '@glasses-cloud/contract'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { appKeyHeaders, authenticateCookie, bearerToken, coreToken, none } from '../../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import type { OriginDeps } from '../../../http/request-origin.ts'
import {
  APP_TOKEN_LIFETIME_MS,
  type AppTokens,
  type Authenticator,
  type CredentialUses,
  DEFAULT_TOKEN_LIFETIME_MS,
  deriveSecret,
  type ForeignAuthentication,
  type ForeignIdentity,
  type GuessLimiter,
  type IdentityProviders,
  IssuerUnavailable,
  isRevoked,
  type Login,
  type LoginTokens,
  type Tokens,
  type User,
} from '../../../identity/index.ts'
import { limitForeignTokens } from '../guess-limits.ts'
import type { OidcAccounts } from '../oidc/oidc-accounts.ts'
import { coded } from '../schemas.ts'
import type { SecurityNotices } from '../security-notices.ts'
import type { SignInMethodStore } from '../sign-in-method-store.ts'
import { type LoginEndpointDeps, loginEndpoints } from './login-endpoints.ts'
import { type PersonalTokenEndpointDeps, personalTokenEndpoints } from './personal-token-endpoints.ts'

export interface TokenEndpointDeps extends LoginEndpointDeps, PersonalTokenEndpointDeps {
  readonly appTokens: AppTokens
  readonly authenticator: Authenticator
  readonly credentialUses: CredentialUses
  readonly loginTokens: LoginTokens
  /** By which pages of the cloud are recognized. */
  readonly origins: OriginDeps
  readonly identityProviders: IdentityProviders
  readonly guesses: GuessLimiter
  /** From which the logins of sessions of identity providers are derived. */
  readonly secret: string
  readonly oidcAccounts: OidcAccounts
  readonly methods: SignInMethodStore
  readonly notices: SecurityNotices
  readonly tokens: Tokens
}

/**
 * Exchanges the token of an identity provider, or a session of ours, for a core token and a refresh token (decision I4).
 * The bearer token is ignored, because phones send arbitrary values in it, often `null`.
 */
const exchangeToken = (deps: TokenEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: ['/api/auth/exchange-token', '/auth/exchange-token'],
    summary: 'Exchange a session, or the token of an identity provider, for a core token',
    tags: ['auth'],
    style: 'bare',
    auth: none,
    schema: { body: exchangeTokenBody, response: { 200: exchangeTokenResponse } },
    errors: [
      'SIGN_IN_TOKEN_REQUIRED',
      'SIGN_IN_NOT_CONFIGURED',
      'SIGN_IN_UNAVAILABLE',
      'OIDC_EMAIL_MISSING',
      'OIDC_EMAIL_NOT_VERIFIED',
      'SIGN_UP_CLOSED',
      'ACCOUNT_LINK_REQUIRED',
      'ACCOUNT_SUSPENDED',
      'TOO_MANY_ATTEMPTS',
      'UNAUTHORIZED',
    ],
    handler: async ({ body, request, reply, log }) => {
      const { credentialUses, guesses, identityProviders, loginTokens, notices, tokens } = deps
      if (body.supabaseToken && isOwnToken(tokens, body.supabaseToken)) {
        const caller = await deps.authenticator.authenticateToken(body.supabaseToken, { scopes: ['core'] })
        if (!caller.ok || caller.loginId === undefined) throw fault('UNAUTHORIZED')
        // The refresh token of the session stays with the client of /auth/v1.
        const { user, loginId } = caller
        return { coreToken: tokens.issue(user, { loginId }), expiresIn: DEFAULT_TOKEN_LIFETIME_MS / 1000 }
      }
      const offered = [
        [body.supabaseToken, identityProviders.supabase],
        [body.authingToken, identityProviders.authing],
        [body.idToken, identityProviders.openId],
      ] as const
      const [token, read] = offered.find(([candidate]) => candidate) ?? []
      if (!token) {
        const { user, loginId } = await sessionOf(deps, body.sessionToken, request)
        return loginTokens.issue(user, loginId)
      }
      if (!read) throw fault('SIGN_IN_NOT_CONFIGURED')
      let accepted = async () => {}
      const beforeAsking = async () => {
        accepted = await limitForeignTokens(guesses, { request, reply })
      }
      const identity = await read(token, beforeAsking).catch((cause: unknown) => {
        throw cause instanceof IssuerUnavailable ? fault('SIGN_IN_UNAVAILABLE', { cause }) : cause
      })
      if (identity !== undefined) await accepted()
      const outcome = identity && (await userOf(deps, identity))
      if (!outcome?.ok) {
        log.debug(
          { reason: outcome?.reason ?? 'invalid' },
          'sign-in: token of the identity provider rejected',
        )
        throw fault('UNAUTHORIZED')
      }
      const { user } = outcome
      if (await isUnexpected(deps, user, request.headers['user-agent'])) notices.signedInElsewhere(user.email)
      const { id } = await loginOf(deps, user, identity?.session ?? token, request)
      credentialUses.record({ table: 'logins', id }, request.ip)
      return loginTokens.issue(user, id)
    },
  })

/** Whether this cloud signed a token, expired or not; then no identity provider did. */
function isOwnToken(tokens: Tokens, token: string): boolean {
  const reading = tokens.read(token)
  return reading.ok ? reading.claims.isOwn : reading.reason === 'expired'
}

/**
 * Returns the user of an identity. Supabase, Authing and `OIDC_ISSUER` sign in by address, as the identity providers of
 * the operator; an account at an issuer of `OIDC_ISSUERS` has to be linked to one with another way to sign in (OIDC-8).
 */
async function userOf(
  { authenticator, oidcAccounts }: TokenEndpointDeps,
  identity: ForeignIdentity,
): Promise<ForeignAuthentication> {
  const { account, emailProblem } = identity
  if (account !== undefined) return oidcAccounts.userOf({ ...identity, ...account })
  if (emailProblem === undefined) return authenticator.authenticateIdentity(identity)
  throw fault('UNAUTHORIZED', { message: fault(emailProblem.code).message, cause: emailProblem.reason })
}

/**
 * Returns the login of a program that presents tokens of one session of an identity provider, at each of its starts
 * (AUTH-76). Nobody has its session token, which is derived from that session.
 * @param session at the provider, or else the token
 */
async function loginOf(
  { logins, now, secret }: TokenEndpointDeps,
  user: User,
  session: string,
  { ip, headers }: FastifyRequest,
): Promise<Login> {
  const origin = { ipAddress: ip, userAgent: headers['user-agent'] }
  const sessionToken = createHmac('sha256', deriveSecret(secret, 'sessions of identity providers'))
    .update(JSON.stringify([user.id, session, origin.userAgent]))
    .digest('hex')
  const login = await logins.findOrCreate(user.id, origin, now(), sessionToken)
  if (!isRevoked(login, user)) return login
  await logins.remove(user.id, login.id)
  return logins.findOrCreate(user.id, origin, now(), sessionToken)
}

/** Whether a user who signs in otherwise does so by an identity provider, with a program that was not used before. */
async function isUnexpected(
  { methods, logins, now }: TokenEndpointDeps,
  { id }: User,
  userAgent: string | undefined,
): Promise<boolean> {
  if (!(await methods.hasAny(id))) return false
  const known = await logins.list(id, now())
  return !known.some((login) => login.userAgent === userAgent?.slice(0, 500))
}

/** Returns the user and the login of a session token, or of the session cookie of a browser. */
async function sessionOf(
  { authenticator, origins }: TokenEndpointDeps,
  sessionToken: string | null | undefined,
  request: FastifyRequest,
): Promise<{ readonly user: User; readonly loginId: string }> {
  if (sessionToken) {
    const outcome = await authenticator.authenticateSession(sessionToken)
    if (!outcome.ok || outcome.loginId === undefined) throw fault('UNAUTHORIZED')
    return { user: outcome.user, loginId: outcome.loginId }
  }
  const outcome = await authenticateCookie(request, { authenticator, ...origins })
  if (!outcome.ok) throw fault(outcome.absent ? 'SIGN_IN_TOKEN_REQUIRED' : 'UNAUTHORIZED')
  const { user, loginId } = outcome.caller
  if (loginId === undefined) throw fault('UNAUTHORIZED')
  return { user, loginId }
}

/** Issues a token that grants access to the glasses socket and the gallery only (decision I3). */
const issueGlassesToken = ({ tokens }: TokenEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: ['/api/auth/glasses-token', '/auth/glasses-token'],
    summary: 'Issue a token for glasses',
    tags: ['auth'],
    style: 'bare',
    auth: coreToken,
    schema: {
      response: {
        200: Type.Object({
          success: Type.Literal(true),
          token: Type.String(),
          expiresIn: Type.Integer({ description: 'Lifetime of the token in seconds' }),
        }),
      },
    },
    errors: [],
    handler: async ({ caller }) => ({
      success: true as const,
      token: tokens.issue(caller.user, { scope: 'glasses', loginId: caller.loginId }),
      expiresIn: DEFAULT_TOKEN_LIFETIME_MS / 1000,
    }),
  })

/** Issues a token that authenticates the sockets of the app and nothing else (decision I9). */
const issueAppToken = ({ appTokens }: Pick<TokenEndpointDeps, 'appTokens'>) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/app-token',
    summary: 'Issue a token for the sockets of an app',
    ...coded,
    auth: appKeyHeaders,
    namedUser: 'none',
    schema: {
      body: Type.Object({
        packageName: Type.Optional(
          Type.String({ description: 'The package of an API key that is sent as bearer token' }),
        ),
      }),
      response: {
        200: Type.Object({
          success: Type.Literal(true),
          token: Type.String({ description: 'JWT for the Authorization header of /app-ws' }),
          expiresIn: Type.Integer({
            description: 'Lifetime of the token in seconds; it ends with the API key',
          }),
        }),
      },
    },
    errors: [],
    handler: async ({ caller: { app } }) => ({
      success: true as const,
      token: appTokens.issue(app),
      expiresIn: APP_TOKEN_LIFETIME_MS / 1000,
    }),
  })

/**
 * Issues new tokens for a refresh token, which is replaced; or a new core token for a valid one (decision I4), with the
 * same lifetime if that is shorter than the default.
 */
const refreshToken = ({ tokens, loginTokens, authenticator, credentialUses }: TokenEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: ['/api/auth/refresh', '/auth/refresh'],
    summary: 'Get a new core token for a refresh token, or for a core token in the header',
    tags: ['auth'],
    style: 'bare',
    auth: none,
    schema: {
      body: Type.Object(
        { refreshToken: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })) },
        { title: 'Refresh' },
      ),
      response: {
        200: Type.Object({
          coreToken: Type.String(),
          refreshToken: Type.Optional(
            Type.String({ description: 'Replaces the refresh token of the request; absent without one' }),
          ),
          expiresIn: Type.Integer({ description: 'Lifetime of the core token in seconds' }),
        }),
      },
    },
    errors: ['UNAUTHORIZED'],
    handler: async ({ body, request, log }) => {
      if (body.refreshToken !== undefined) {
        const outcome = await loginTokens.refresh(body.refreshToken)
        if (!outcome.ok) {
          if (outcome.reason === 'reused')
            log.warn('sign-in: a used refresh token was presented; its login ended')
          throw fault('UNAUTHORIZED')
        }
        const { coreToken, refreshToken, expiresIn, loginId } = outcome
        credentialUses.record({ table: 'logins', id: loginId }, request.ip)
        return { coreToken, refreshToken, expiresIn }
      }
      const token = bearerToken(request.headers.authorization) ?? ''
      const caller = await authenticator.authenticateToken(token, { scopes: ['core'] })
      if (!caller.ok) throw fault('UNAUTHORIZED')
      const reading = tokens.read(token)
      const lifeBefore = (reading.ok && reading.claims.lifetimeMs) || DEFAULT_TOKEN_LIFETIME_MS
      const expiresIn = Math.floor(Math.min(lifeBefore, DEFAULT_TOKEN_LIFETIME_MS) / 1000)
      const { user, loginId } = caller
      if (loginId !== undefined) credentialUses.record({ table: 'logins', id: loginId }, request.ip)
      return { coreToken: tokens.issue(user, { lifetimeMs: expiresIn * 1000, loginId }), expiresIn }
    },
  })

/** Issues, refreshes and revokes the tokens of phones, glasses, apps and programs, under `/api/auth`. */
export const tokenEndpoints = (deps: TokenEndpointDeps): Endpoint[] => [
  exchangeToken(deps),
  issueGlassesToken(deps),
  issueAppToken(deps),
  refreshToken(deps),
  ...loginEndpoints(deps),
  ...personalTokenEndpoints(deps),
]
