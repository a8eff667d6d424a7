import { setTimeout as delay } from 'node:timers/promises'
import { Type } from 'typebox'
import { coreToken, ownPages } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import { normalizeEmail } from '../../../identity/index.ts'
import type { AuthEndpointDeps } from '../deps.ts'
import { limitGuesses } from '../guess-limits.ts'
import { emailField, newPasswordField, passwordField, tags } from '../schemas.ts'

/** Time of a response that must not reveal whether an account exists, by how much longer storing a token takes. */
const UNIFORM_RESPONSE_MS = 250

const success = Type.Object({ success: Type.Literal(true) })

const done = { success: true } as const

const requested = Type.Object({ success: Type.Literal(true), message: Type.String() })

/** Sends a link to reset the password. The response is the same for an address without an account. */
const requestPasswordReset = ({ accounts, guesses }: AuthEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/request-password-reset',
    summary: 'Request a link to reset your password',
    tags,
    style: 'bare',
    auth: ownPages,
    schema: {
      body: Type.Object({ email: emailField }, { title: 'PasswordResetRequest' }),
      response: { 200: requested },
    },
    errors: ['TOO_MANY_ATTEMPTS'],
    handler: async ({ body, request, reply }) => {
      const email = normalizeEmail(body.email)
      if (email !== undefined) {
        await limitGuesses(guesses, { request, reply }, 'password-reset', email)
        const uniform = delay(UNIFORM_RESPONSE_MS)
        await accounts.call(request, reply, (api, headers) =>
          api.requestPasswordReset({ body: { email }, headers, returnHeaders: true }),
        )
        await uniform
      }
      return { ...done, message: 'If the address has an account, a link was sent to it' }
    },
  })

/** Sets a new password with the token of such a link, and logs the user out everywhere. */
const resetPassword = ({ accounts }: AuthEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/reset-password',
    summary: 'Set a new password with the token of a reset link',
    tags,
    style: 'bare',
    auth: ownPages,
    schema: {
      body: Type.Object(
        { token: Type.String({ minLength: 1, maxLength: 200 }), newPassword: newPasswordField },
        { title: 'PasswordReset' },
      ),
      response: { 200: success },
    },
    errors: ['ACCOUNT_REQUEST_REJECTED', 'VERIFICATION_REJECTED'],
    handler: async ({ body, request, reply }) => {
      await accounts.call(request, reply, (api, headers) =>
        api.resetPassword({ body, headers, returnHeaders: true }),
      )
      return done
    },
  })

/** Changes the password of the session's user, who must know the present one, and ends their other logins. */
const changePassword = ({ accounts, guesses, logins, notices }: AuthEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/change-password',
    summary: 'Change your password; requires the session cookie',
    tags,
    style: 'bare',
    auth: coreToken,
    schema: {
      body: Type.Object(
        { currentPassword: passwordField, newPassword: newPasswordField },
        { title: 'PasswordChange' },
      ),
      response: { 200: success },
    },
    errors: ['ACCOUNT_REQUEST_REJECTED', 'TOO_MANY_ATTEMPTS'],
    handler: async ({ body, caller, request, reply }) => {
      const succeeded = await limitGuesses(guesses, { request, reply }, 'password', caller.user.id)
      await accounts.callAs(caller, request, reply, (api, headers) =>
        api.changePassword({ body: { ...body, revokeOtherSessions: true }, headers, returnHeaders: true }),
      )
      await logins.removeApproved(caller.user.id)
      notices.passwordChanged(caller.user.email)
      await succeeded()
      return done
    },
  })

/** Sends the link that confirms an address again. The response is the same for an address without an account. */
const sendVerification = ({ accounts, guesses }: AuthEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/send-verification-email',
    summary: 'Request a link to confirm your e-mail address',
    tags,
    style: 'bare',
    auth: ownPages,
    schema: {
      body: Type.Object({ email: emailField }, { title: 'VerificationRequest' }),
      response: { 200: requested },
    },
    errors: ['TOO_MANY_ATTEMPTS'],
    handler: async ({ body, request, reply }) => {
      const email = normalizeEmail(body.email)
      if (email !== undefined) {
        await limitGuesses(guesses, { request, reply }, 'verification', email)
        const uniform = delay(UNIFORM_RESPONSE_MS)
        await accounts.sendVerification(email)
        await uniform
      }
      return { ...done, message: 'If the address has an unconfirmed account, a link was sent to it' }
    },
  })

/** Confirms an address with the token of such a link. */
const verifyEmail = ({ accounts }: AuthEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/verify-email',
    summary: 'Confirm your e-mail address with the token of a link',
    tags,
    style: 'bare',
    auth: ownPages,
    schema: {
      body: Type.Object(
        { token: Type.String({ minLength: 1, maxLength: 2_000 }) },
        { title: 'Verification' },
      ),
      response: { 200: success },
    },
    errors: ['ACCOUNT_REQUEST_REJECTED', 'VERIFICATION_REJECTED'],
    handler: async ({ body, request, reply }) => {
      const result = await accounts.call(request, reply, (api, headers) =>
        api.verifyEmail({ query: { token: body.token }, headers, returnHeaders: true }),
      )
      if (result?.status !== true) throw fault('VERIFICATION_REJECTED')
      return done
    },
  })

/** The endpoints for passwords and the confirmation of addresses. */
export const passwordEndpoints = (deps: AuthEndpointDeps) => [
  requestPasswordReset(deps),
  resetPassword(deps),
  changePassword(deps),
  sendVerification(deps),
  verifyEmail(deps),
]
