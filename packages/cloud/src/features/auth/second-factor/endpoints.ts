import { Type } from 'typebox'
import { coreToken, ownPages } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import type { AuthEndpointDeps } from '../deps.ts'
import { limitGuesses } from '../guess-limits.ts'
import { passwordField, sessionToken, sessionUser, tags, toSessionUser } from '../schemas.ts'

const success = Type.Object({ success: Type.Literal(true) })
const backupCodes = Type.Array(Type.String(), { description: 'Each replaces a code of the app once' })
const passwordBody = Type.Object({ password: passwordField }, { title: 'PasswordConfirmation' })

/** Prepares a second factor; it is required once a code of the app was verified. */
const enable = ({ accounts, guesses }: AuthEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/two-factor/enable',
    summary: 'Set up codes of an authenticator app; requires the session cookie',
    tags,
    style: 'bare',
    auth: coreToken,
    schema: {
      body: passwordBody,
      response: {
        200: Type.Object({
          totpURI: Type.String({ description: 'For the authenticator app, as text or as a QR code' }),
          backupCodes,
        }),
      },
    },
    errors: ['ACCOUNT_REQUEST_REJECTED', 'TOO_MANY_ATTEMPTS'],
    handler: async ({ body, caller, request, reply }) => {
      const succeeded = await limitGuesses(guesses, { request, reply }, 'password', caller.user.id)
      const result = await accounts.callAs(caller, request, reply, (api, headers) =>
        api.enableTwoFactor({ body, headers, returnHeaders: true }),
      )
      await succeeded()
      if (!('totpURI' in result)) throw new Error('The second factor has no URI')
      return { totpURI: result.totpURI, backupCodes: result.backupCodes }
    },
  })

const disable = ({ accounts, guesses }: AuthEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/two-factor/disable',
    summary: 'Stop requiring a second factor; requires the session cookie',
    tags,
    style: 'bare',
    auth: coreToken,
    schema: { body: passwordBody, response: { 200: success } },
    errors: ['ACCOUNT_REQUEST_REJECTED', 'TOO_MANY_ATTEMPTS'],
    handler: async ({ body, caller, request, reply }) => {
      const succeeded = await limitGuesses(guesses, { request, reply }, 'password', caller.user.id)
      await accounts.callAs(caller, request, reply, (api, headers) =>
        api.disableTwoFactor({ body, headers, returnHeaders: true }),
      )
      await succeeded()
      return { success: true as const }
    },
  })

const generateBackupCodes = ({ accounts, guesses }: AuthEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/two-factor/generate-backup-codes',
    summary: 'Replace your backup codes; requires the session cookie',
    tags,
    style: 'bare',
    auth: coreToken,
    schema: { body: passwordBody, response: { 200: Type.Object({ backupCodes }) } },
    errors: ['ACCOUNT_REQUEST_REJECTED', 'TOO_MANY_ATTEMPTS'],
    handler: async ({ body, caller, request, reply }) => {
      const succeeded = await limitGuesses(guesses, { request, reply }, 'password', caller.user.id)
      const result = await accounts.callAs(caller, request, reply, (api, headers) =>
        api.generateBackupCodes({ body, headers, returnHeaders: true }),
      )
      await succeeded()
      return { backupCodes: result.backupCodes }
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

/** Completes a sign-in, or the set-up of the factor in a session. The number of attempts for a sign-in is limited. */
const verify = (
  { accounts }: AuthEndpointDeps,
  { url, summary, call }: { url: string; summary: string; call: 'verifyTOTP' | 'verifyBackupCode' },
) =>
  endpoint({
    method: 'POST',
    url,
    summary,
    tags,
    style: 'bare',
    auth: ownPages,
    schema: { body: codeBody, response: { 200: verified } },
    errors: [
      'SECOND_FACTOR_REJECTED',
      'UNAUTHORIZED',
      'ACCOUNT_REQUEST_REJECTED',
      'TOO_MANY_ATTEMPTS',
      'ACCOUNT_SUSPENDED',
    ],
    handler: async ({ body, request, reply }) => {
      const result = await accounts.call(request, reply, (api, headers) =>
        api[call]({ body, headers, returnHeaders: true }),
      )
      return { token: result.token ?? null, user: toSessionUser(result.user) }
    },
  })

/** The endpoints for codes of an authenticator app. */
export const secondFactorEndpoints = (deps: AuthEndpointDeps) => [
  enable(deps),
  disable(deps),
  generateBackupCodes(deps),
  verify(deps, {
    url: '/api/auth/two-factor/verify-totp',
    summary: 'Complete a sign-in with a code of your authenticator app',
    call: 'verifyTOTP',
  }),
  verify(deps, {
    url: '/api/auth/two-factor/verify-backup-code',
    summary: 'Complete a sign-in with a backup code',
    call: 'verifyBackupCode',
  }),
]
