import { Type } from 'typebox'
import { coreToken, ownPages } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import type { GuessLimiter, UserStore } from '../../../identity/index.ts'
import { type BrowserLogins, hasAccess } from '../browser-logins.ts'
import { limitGuesses } from '../guess-limits.ts'
import type { PasswordAccounts } from '../password/password-accounts.ts'
import { coded, passwordField, sessionToken, sessionUser, success, tags, toSessionUser } from '../schemas.ts'
import type { VerificationStore } from '../verification-store.ts'
import type { PendingSignIns } from './pending-sign-ins.ts'
import type { CodeKind, SecondFactors } from './second-factors.ts'

export interface SecondFactorEndpointDeps {
  readonly accounts: PasswordAccounts
  readonly factors: SecondFactors
  readonly pendingSignIns: PendingSignIns
  readonly verifications: VerificationStore
  readonly browserLogins: BrowserLogins
  readonly guesses: GuessLimiter
  readonly users: UserStore
}

const backupCodes = Type.Array(Type.String(), { description: 'Each replaces a code of the app once' })
const body = Type.Object({ password: passwordField }, { title: 'PasswordConfirmation' })

/** What a user does to their second factor: in a session, and with the password. */
const managed = { method: 'POST', tags, style: 'coded', auth: coreToken } as const

type ManagedRequest = Parameters<typeof limitGuesses>[1] & {
  readonly body: { readonly password: string }
  readonly caller: Parameters<BrowserLogins['requireOwn']>[1]
}

/** @returns the hash of the password @throws Fault unless the request has the caller's session and password */
async function requirePassword(
  deps: SecondFactorEndpointDeps,
  { body: { password }, caller, request, reply }: ManagedRequest,
): Promise<string> {
  const succeeded = await limitGuesses(deps, { request, reply }, 'password', caller.user.id)
  await deps.browserLogins.requireOwn(request, caller)
  const hash = await deps.accounts.requirePassword(caller.user, password)
  await succeeded()
  return hash
}

/** Prepares a second factor; it is required once a code of the app was verified. */
const enable = (deps: SecondFactorEndpointDeps) =>
  endpoint({
    ...managed,
    url: '/api/auth/two-factor/enable',
    summary: 'Set up codes of an authenticator app; requires the session cookie',
    schema: {
      body,
      response: {
        200: Type.Object({
          totpURI: Type.String({ description: 'For the authenticator app, as text or as a QR code' }),
          backupCodes,
        }),
      },
    },
    errors: ['INVALID_PASSWORD', 'SECOND_FACTOR_EXISTS', 'TOO_MANY_ATTEMPTS', 'TOO_MANY_PASSWORDS'],
    handler: async (context) => {
      const hash = await requirePassword(deps, context)
      return deps.factors.prepare(context.caller.user, hash)
    },
  })

const disable = (deps: SecondFactorEndpointDeps) =>
  endpoint({
    ...managed,
    url: '/api/auth/two-factor/disable',
    summary: 'Stop requiring a second factor; requires the session cookie',
    schema: { body, response: { 200: success } },
    errors: ['INVALID_PASSWORD', 'TOO_MANY_ATTEMPTS', 'TOO_MANY_PASSWORDS'],
    handler: async (context) => {
      const passwordHash = await requirePassword(deps, context)
      const { id: userId } = context.caller.user
      await deps.factors.remove({ userId, passwordHash })
      await deps.verifications.removeFor(userId)
      return { success: true as const }
    },
  })

const generateBackupCodes = (deps: SecondFactorEndpointDeps) =>
  endpoint({
    ...managed,
    url: '/api/auth/two-factor/generate-backup-codes',
    summary: 'Replace your backup codes; requires the session cookie',
    schema: { body, response: { 200: Type.Object({ backupCodes }) } },
    errors: ['INVALID_PASSWORD', 'SECOND_FACTOR_MISSING', 'TOO_MANY_ATTEMPTS', 'TOO_MANY_PASSWORDS'],
    handler: async (context) => {
      const passwordHash = await requirePassword(deps, context)
      const { id: userId } = context.caller.user
      return { backupCodes: await deps.factors.replaceBackupCodes({ userId, passwordHash }) }
    },
  })

const codeBody = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 20 }),
    trustDevice: Type.Optional(Type.Boolean({ description: 'Require no code in this browser for 30 days' })),
  },
  { title: 'SecondFactor' },
)

const verified = Type.Object({ token: sessionToken, user: sessionUser }, { title: 'SecondFactorVerified' })

/** Completes a sign-in, or the set-up of the factor in a session. The number of attempts is limited. */
const verify = (
  { factors, pendingSignIns, browserLogins, users, ...deps }: SecondFactorEndpointDeps,
  { url, summary, kind }: { url: string; summary: string; kind: CodeKind },
) =>
  endpoint({
    method: 'POST',
    url,
    summary,
    ...coded,
    auth: ownPages,
    schema: { body: codeBody, response: { 200: verified } },
    errors: ['SECOND_FACTOR_REJECTED', 'UNAUTHORIZED', 'TOO_MANY_ATTEMPTS', 'ACCOUNT_SUSPENDED'],
    handler: async ({ body: { code, trustDevice = false }, request, reply }) => {
      const pending = await pendingSignIns.find(request)
      // The browser may have a session of another sign-in, or of another user.
      const login = pending === undefined ? await browserLogins.find(request) : undefined
      const userId = pending?.userId ?? login?.userId
      const user = userId === undefined ? undefined : await users.findById(userId)
      if (user === undefined) throw fault('UNAUTHORIZED')
      if (login !== undefined && !hasAccess(login, user)) throw fault('UNAUTHORIZED')
      if (pending !== undefined) await pendingSignIns.countAttempt(pending, reply)
      const succeeded = await limitGuesses(
        { ...deps, browserLogins },
        { request, reply },
        'second-factor',
        user.id,
      )
      await factors.verify(user, { code, kind }, login?.id)
      await succeeded()
      if (pending === undefined) {
        return {
          token: browserLogins.tokenOf(request) ?? null,
          user: toSessionUser((await users.findById(user.id)) ?? user),
        }
      }
      const isRemembered = browserLogins.isRemembered(request)
      const confirm = async () => {
        if (!(await pendingSignIns.complete(pending, { trustDevice }, reply))) throw fault('UNAUTHORIZED')
      }
      const token = await browserLogins.start(user, request, reply, { isRemembered, confirm })
      return { token, user: toSessionUser(user) }
    },
  })

/** The endpoints for codes of an authenticator app. */
export const secondFactorEndpoints = (deps: SecondFactorEndpointDeps) => [
  enable(deps),
  disable(deps),
  generateBackupCodes(deps),
  verify(deps, {
    url: '/api/auth/two-factor/verify-totp',
    summary: 'Complete a sign-in with a code of your authenticator app',
    kind: 'totp',
  }),
  verify(deps, {
    url: '/api/auth/two-factor/verify-backup-code',
    summary: 'Complete a sign-in with a backup code',
    kind: 'backup',
  }),
]
