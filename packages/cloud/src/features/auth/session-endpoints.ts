import { Type } from 'typebox'
import type { SignUp } from '../../config/index.ts'
import { none, ownPages } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { UserStore } from '../../identity/index.ts'
import { type BrowserLogins, hasAccess } from './browser-logins.ts'
import { relyingPartyOf } from './passkeys/passkeys.ts'
import { coded, session, sessionUser, success, toSessionUser } from './schemas.ts'
import type { SetUp } from './sign-up/sign-up-policy.ts'

/**
 * Requests a minute of a browser, or of an address, to each of the two with which every page of the console begins: at a
 * school or a company many people open it behind one address.
 */
const PAGES_PER_MINUTE = 1_200

export interface SessionEndpointDeps {
  readonly browserLogins: BrowserLogins
  readonly users: UserStore
  readonly setUp: SetUp
  readonly signUp: SignUp
  readonly issuers: readonly { readonly id: string; readonly label: string }[]
  readonly publicUrl: () => URL
}

/** Returns what a sign-in page offers. */
const getSignInOptions = ({ setUp, signUp, issuers, publicUrl }: SessionEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/auth/options',
    summary: 'Get the ways to sign in and up',
    ...coded,
    auth: none,
    schema: {
      response: {
        200: Type.Object(
          {
            signUp: Type.Enum(['open', 'invite', 'closed'], { description: 'Who may create an account' }),
            isSetUp: Type.Boolean({
              description: 'False: the next account becomes the administrator, whatever `signUp` is',
            }),
            setUpCodeRequired: Type.Boolean({
              description: "Whether the next account requires the set-up code in the server's log",
            }),
            issuers: Type.Array(
              Type.Object({ id: Type.String(), label: Type.String() }, { title: 'SignInIssuer' }),
              { description: 'OpenID Connect issuers, for POST /api/auth/sign-in/oidc' },
            ),
            passkeys: Type.Boolean({
              description:
                'Whether browsers have passkeys at this address: https with a host name, or http://localhost',
            }),
          },
          { title: 'SignInOptions' },
        ),
      },
    },
    errors: [],
    limits: { perMinute: () => PAGES_PER_MINUTE },
    handler: async ({ request }) => {
      const isPending = await setUp.store.isPending()
      return {
        signUp,
        isSetUp: !isPending,
        setUpCodeRequired: isPending,
        issuers: issuers.map(({ id, label }) => ({ id, label })),
        passkeys: relyingPartyOf(publicUrl(), request) !== undefined,
      }
    },
  })

/** Returns the session of the cookie, or null without a valid one, and extends it once a day. */
const getSession = ({ browserLogins, users }: SessionEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/auth/get-session',
    summary: 'Get the session of this browser',
    ...coded,
    auth: ownPages,
    schema: {
      response: {
        200: Type.Union([
          Type.Null(),
          Type.Object({ session, user: sessionUser }, { title: 'CurrentSession' }),
        ]),
      },
    },
    errors: [],
    limits: { perMinute: () => PAGES_PER_MINUTE },
    handler: async ({ request, reply }) => {
      if (browserLogins.tokenOf(request) === undefined) return null
      const login = await browserLogins.find(request)
      if (login === undefined) {
        await browserLogins.end(request, reply)
        return null
      }
      const user = await users.findById(login.userId)
      if (user === undefined || !hasAccess(login, user)) return null
      const { id, expiresAt, createdAt, updatedAt, ipAddress, userAgent } = await browserLogins.extend(
        login,
        request,
        reply,
      )
      return {
        session: {
          id,
          expiresAt: new Date(expiresAt).toISOString(),
          createdAt: new Date(createdAt).toISOString(),
          updatedAt: new Date(updatedAt).toISOString(),
          ipAddress: ipAddress ?? null,
          userAgent: userAgent ?? null,
        },
        user: toSessionUser(user),
      }
    },
  })

/** Ends the session of the cookie, with all tokens that belong to it. */
const signOut = ({ browserLogins }: SessionEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/sign-out',
    summary: 'Sign out in this browser',
    ...coded,
    auth: ownPages,
    schema: { response: { 200: success } },
    errors: [],
    handler: async ({ request, reply }) => {
      await browserLogins.end(request, reply)
      return { success: true as const }
    },
  })

/** What a sign-in page offers, and the session of a browser. */
export const sessionEndpoints = (deps: SessionEndpointDeps) => [
  getSignInOptions(deps),
  getSession(deps),
  signOut(deps),
]
