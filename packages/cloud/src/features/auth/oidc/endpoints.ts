import { MAX_OWN_ADDRESS_LENGTH, ownAddress } from '@glasses-cloud/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { COOKIE_PREFIX, coreToken, none, ownPages } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { Fault, fault } from '../../../http/fault.ts'
import {
  IssuerUnavailable,
  isRevoked,
  type LoginStore,
  seal,
  type UserStore,
  unseal,
} from '../../../identity/index.ts'
import type { AccountHolders } from '../account-holders.ts'
import type { BrowserLogins } from '../browser-logins.ts'
import { pageLink } from '../links.ts'
import { coded } from '../schemas.ts'
import type { OidcAccount, OidcAccounts } from './oidc-accounts.ts'
import type { OidcClient, PendingSignIn } from './oidc-client.ts'

/** Time to sign in at the issuer. */
const PENDING_LIFETIME_MS = 10 * 60_000

const COOKIE = `${COOKIE_PREFIX}.oidc`
const PURPOSE = 'oidc sign-in'

export interface OidcEndpointDeps {
  readonly clients: readonly OidcClient[]
  readonly accounts: OidcAccounts
  readonly browserLogins: BrowserLogins
  readonly holders: AccountHolders
  readonly users: UserStore
  readonly logins: LoginStore
  readonly secret: string
  /** The accepted secrets, the current one first. */
  readonly secrets: readonly string[]
  readonly publicUrl: () => URL
  readonly now: () => number
}

const startSchema = {
  body: Type.Object(
    {
      issuer: Type.String({ maxLength: 100, description: 'An `id` of GET /api/auth/options' }),
      next: Type.Optional(
        Type.String({
          maxLength: MAX_OWN_ADDRESS_LENGTH,
          description: 'Address of the page that follows; default, and for other hosts: /',
        }),
      ),
    },
    { title: 'OidcSignIn' },
  ),
  response: {
    200: Type.Object({ url: Type.String({ format: 'uri', description: 'Where the browser must go' }) }),
  },
}

/** Starts a sign-in at an issuer. */
const startOidcSignIn = (deps: OidcEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/sign-in/oidc',
    summary: 'Sign in at an OpenID Connect issuer',
    ...coded,
    auth: ownPages,
    schema: startSchema,
    errors: ['SIGN_IN_NOT_CONFIGURED', 'SIGN_IN_UNAVAILABLE'],
    handler: ({ body, reply }) => startAtIssuer(deps, reply, body),
  })

/** Starts to link an account at an issuer, with which the caller can then sign in. */
const linkOidcAccount = (deps: OidcEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/sign-in-methods/oidc',
    summary: 'Link an account at an OpenID Connect issuer; requires a sign-in within the last hour',
    ...coded,
    auth: coreToken,
    schema: startSchema,
    errors: ['RECENT_SIGN_IN_REQUIRED', 'SIGN_IN_NOT_CONFIGURED', 'SIGN_IN_UNAVAILABLE'],
    handler: async ({ body, caller, reply }) => {
      await deps.browserLogins.requireRecent(caller)
      return startAtIssuer(deps, reply, body, caller.loginId)
    },
  })

/** Prepares the visit to an issuer. What is needed to finish is in a sealed cookie, so that any node can do so. */
async function startAtIssuer(
  { clients, browserLogins, secret, publicUrl, now }: OidcEndpointDeps,
  reply: FastifyReply,
  { issuer: issuerId, next }: { readonly issuer: string; readonly next?: string },
  linkLoginId?: string,
): Promise<{ url: string }> {
  const client = clients.find(({ issuer }) => issuer.id === issuerId)
  if (client === undefined) throw fault('SIGN_IN_NOT_CONFIGURED')
  const { url, pending } = await client
    .start(callbackUrl(publicUrl(), client), ownAddress(next, publicUrl().origin))
    .catch((cause: unknown) => {
      throw cause instanceof IssuerUnavailable ? toFault(cause) : cause
    })
  const expiresAt = now() + PENDING_LIFETIME_MS
  const content = JSON.stringify({ ...pending, linkLoginId, expiresAt })
  browserLogins.setCookie(reply, COOKIE, seal(content, secret, PURPOSE), PENDING_LIFETIME_MS)
  return { url: url.href }
}

/** Finishes when the issuer sends the browser back: signs in or links the account, and redirects to the next page. */
const finishOidcSignIn = (deps: OidcEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/auth/callback/:issuer',
    summary: 'Finish the visit to an OpenID Connect issuer; for its redirects only',
    ...coded,
    auth: none,
    schema: {
      params: Type.Object({ issuer: Type.String({ maxLength: 100 }) }),
      response: {
        302: Type.Null({
          description:
            'To the page that follows; with the code of an error if linking failed, to the sign-in page if signing in did',
        }),
      },
    },
    errors: [],
    handler: async ({ params, request, reply, log }) => {
      const { clients, browserLogins, holders, publicUrl } = deps
      const client = clients.find(({ issuer }) => issuer.id === params.issuer)
      browserLogins.setCookie(reply, COOKIE, '', 0)
      const pending = readPending(request, deps)
      try {
        if (client === undefined || pending?.issuerId !== params.issuer) throw fault('OIDC_SIGN_IN_REJECTED')
        const url = new URL(callbackUrl(publicUrl(), client))
        url.search = new URL(request.url, url).search
        const finished = await client.finish(url, pending)
        const account = { issuerId: client.issuer.id, ...finished, issuedAt: deps.now() }
        if (pending.linkLoginId === undefined) {
          const outcome = await deps.accounts.userOf(account, (id) => holders.isHolder(request, id))
          if (!outcome.ok) throw fault('OIDC_SIGN_IN_REJECTED')
          await browserLogins.start(outcome.user, request, reply)
        } else await linkAccount(deps, account, pending.linkLoginId)
        return reply.redirect(pageLink(publicUrl(), pending.next), 302)
      } catch (error) {
        const reason = error instanceof Fault ? error : toFault(error)
        if (reason.cause !== undefined) {
          const { error: code } = reason.cause as { readonly error?: unknown }
          const issuer = { issuer: client?.issuer.id, issuerError: isCode(code) ? code : undefined }
          log.warn({ err: reason.cause, ...issuer }, 'sign-in: the issuer response was rejected')
        }
        const page =
          pending?.linkLoginId === undefined
            ? signInPage(publicUrl(), pending, reason)
            : pageLink(publicUrl(), pending.next, { error: reason.code })
        return reply.redirect(page, 302)
      }
    },
  })

const toFault = (cause: unknown) =>
  fault(cause instanceof IssuerUnavailable ? 'SIGN_IN_UNAVAILABLE' : 'OIDC_SIGN_IN_REJECTED', { cause })

/** Whether a value is an error code of OAuth, such as `invalid_client`, which contains nothing personal. */
const isCode = (value: unknown) => typeof value === 'string' && /^[a-z_]{1,60}$/.test(value)

const callbackUrl = (publicUrl: URL, { issuer }: OidcClient) =>
  pageLink(publicUrl, `/api/auth/callback/${issuer.id}`)

function readPending(
  request: FastifyRequest,
  { browserLogins, secrets, now }: OidcEndpointDeps,
): PendingSignIn | undefined {
  const cookie = browserLogins.readCookie(request, COOKIE)
  if (cookie === undefined) return undefined
  try {
    const { expiresAt, ...pending } = JSON.parse(unseal(cookie, secrets, PURPOSE)) as PendingSignIn & {
      expiresAt: number
    }
    return expiresAt > now() ? pending : undefined
  } catch {
    return undefined
  }
}

/** Adds an account to the user of a login, who must still be signed in. */
async function linkAccount(
  { accounts, logins, users, now }: OidcEndpointDeps,
  account: OidcAccount,
  loginId: string,
): Promise<void> {
  const login = await logins.findLive(loginId, now())
  const user = login && (await users.findById(login.userId))
  if (login === undefined || user === undefined || isRevoked(login, user))
    throw fault('OIDC_SIGN_IN_REJECTED')
  await accounts.link(user, account)
}

/** Returns the sign-in page; for an account that has to be linked, it starts to do so after the sign-in. */
function signInPage(publicUrl: URL, pending: PendingSignIn | undefined, error: Fault): string {
  if (pending === undefined || error.code !== 'ACCOUNT_LINK_REQUIRED')
    return pageLink(publicUrl, '/sign-in', { error: error.code })
  const to = encodeURIComponent(pending.next)
  return pageLink(publicUrl, `/sign-in?to=${to}`, { error: error.code, link: pending.issuerId })
}

/** The endpoints of the sign-in at OpenID Connect issuers. */
export const oidcEndpoints = (deps: OidcEndpointDeps) => [
  startOidcSignIn(deps),
  linkOidcAccount(deps),
  finishOidcSignIn(deps),
]
