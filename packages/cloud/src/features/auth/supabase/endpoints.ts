import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { coreToken, ownPages } from '../../../http/auth/index.ts'
import { type Endpoint, endpoint, type InvalidPart } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import {
  type CredentialUses,
  type LoginStore,
  type LoginTokens,
  normalizeEmail,
  type UserStore,
} from '../../../identity/index.ts'
import { limitGuesses } from '../guess-limits.ts'
import { sendLink } from '../links.ts'
import type { PasswordAccounts } from '../password/password-accounts.ts'
import { WEAK_PASSWORD_ERRORS } from '../password/password-policy.ts'
import { emailField, newPasswordField, passwordField } from '../schemas.ts'
import { type SignUpDeps, signUp } from '../sign-up/sign-up.ts'
import { supabaseSession, supabaseUser, toSupabaseSession, toSupabaseUser } from './schemas.ts'

export interface SupabaseEndpointDeps extends SignUpDeps {
  readonly accounts: PasswordAccounts
  readonly users: UserStore
  readonly logins: LoginStore
  readonly loginTokens: LoginTokens
  readonly credentialUses: CredentialUses
}

/** What all endpoints have in common. The header `apikey` of clients is ignored. */
const shared = { tags: ['auth'], style: 'supabase' } as const

const originOf = ({ ip, headers }: FastifyRequest) => ({ ipAddress: ip, userAgent: headers['user-agent'] })

/** A password of the wrong length is a weak one. */
const invalidPassword = ({ part, field }: InvalidPart) =>
  part === 'body' && field === 'password' ? 'PASSWORD_LENGTH' : 'BAD_REQUEST'

/** Creates an account, as `POST /api/auth/sign-up/email` does, without invitation or set-up code. */
const signUpWithPassword = (deps: SupabaseEndpointDeps) =>
  endpoint({
    ...shared,
    method: 'POST',
    url: '/auth/v1/signup',
    summary: 'Supabase Auth: create an account',
    auth: ownPages,
    schema: {
      body: Type.Object({ email: emailField, password: newPasswordField }, { title: 'SupabaseSignUp' }),
      response: { 200: Type.Union([supabaseSession, supabaseUser]) },
    },
    errors: [
      'SIGN_UP_CLOSED',
      'INVITATION_REQUIRED',
      'SET_UP_CODE_REQUIRED',
      'ACCOUNT_EXISTS',
      'ACCOUNT_REQUEST_REJECTED',
      'ACCOUNT_SUSPENDED',
      'TOO_MANY_ATTEMPTS',
      'TOO_MANY_PASSWORDS',
      'PASSWORD_LENGTH',
      ...WEAK_PASSWORD_ERRORS,
    ],
    invalid: invalidPassword,
    handler: async ({ body, request, reply }) => {
      const { logins, loginTokens, now, verifyEmail } = deps
      const email = normalizeEmail(body.email)
      if (email === undefined) throw fault('ACCOUNT_REQUEST_REJECTED')
      await limitGuesses(deps, { request, reply }, 'sign-up', email)
      const signedUp = { email, password: body.password, name: '' }
      const { user, uniform } = await signUp(deps, signedUp, async () => false)
      if (verifyEmail) {
        await uniform
        // The same as for a new account, so that the response does not reveal the existing one.
        const [id, time] = [user?.id ?? randomUUID(), now()]
        return toSupabaseUser({
          id,
          email,
          name: '',
          isEmailVerified: false,
          createdAt: time,
          updatedAt: time,
        })
      }
      if (user === undefined) throw fault('ACCOUNT_EXISTS')
      const { id } = await logins.create(user.id, originOf(request), now())
      return toSupabaseSession(await loginTokens.issue(user, id), user, now())
    },
  })

/** Starts a session with a password, as `POST /api/auth/sign-in/email` does, or continues one. */
const getToken = (deps: SupabaseEndpointDeps) =>
  endpoint({
    ...shared,
    method: 'POST',
    url: '/auth/v1/token',
    summary: 'Supabase Auth: sign in with a password, or refresh a session',
    auth: ownPages,
    schema: {
      querystring: Type.Object({ grant_type: Type.Enum(['password', 'refresh_token']) }),
      body: Type.Object(
        {
          email: Type.Optional(emailField),
          password: Type.Optional(passwordField),
          refresh_token: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
        },
        { title: 'SupabaseGrant' },
      ),
      response: { 200: supabaseSession },
    },
    errors: [
      'SIGN_IN_REJECTED',
      'EMAIL_NOT_VERIFIED',
      'ACCOUNT_SUSPENDED',
      'SECOND_FACTOR_UNSUPPORTED',
      'REFRESH_TOKEN_REJECTED',
      'REFRESH_TOKEN_REUSED',
      'TOO_MANY_ATTEMPTS',
      'TOO_MANY_PASSWORDS',
    ],
    handler: async ({ query, body, request, reply, log }) => {
      const { accounts, credentialUses, loginTokens, logins, now, users } = deps
      if (query.grant_type === 'refresh_token') {
        const outcome = await loginTokens.refresh(body.refresh_token ?? '')
        if (!outcome.ok) {
          const isReused = outcome.reason === 'reused'
          if (isReused) log.warn('sign-in: a used refresh token was presented; its login ended')
          throw fault(isReused ? 'REFRESH_TOKEN_REUSED' : 'REFRESH_TOKEN_REJECTED')
        }
        credentialUses.record({ table: 'logins', id: outcome.loginId }, request.ip)
        const login = await logins.findLive(outcome.loginId, now())
        const user = login && (await users.findById(login.userId))
        if (user === undefined) throw fault('REFRESH_TOKEN_REJECTED')
        return toSupabaseSession(outcome, user, now())
      }
      const email = normalizeEmail(body.email ?? '')
      if (email === undefined) throw fault('SIGN_IN_REJECTED')
      const succeeded = await limitGuesses(deps, { request, reply }, 'sign-in', email)
      const { user, hash } = await accounts.authenticate(email, body.password ?? '', () => {})
      await succeeded()
      if (user.hasSecondFactor) throw fault('SECOND_FACTOR_UNSUPPORTED')
      const isCurrent = () => accounts.isCurrent(user, hash)
      const { id } = await logins.create(user.id, originOf(request), now()).catch(async (error: unknown) => {
        // Fails if the account was deleted meanwhile.
        throw (await isCurrent()) ? error : fault('SIGN_IN_REJECTED')
      })
      // A change of the password removes the logins that exist after it.
      if (!(await isCurrent())) {
        await logins.remove(user.id, id)
        throw fault('SIGN_IN_REJECTED')
      }
      return toSupabaseSession(await loginTokens.issue(user, id), user, now())
    },
  })

const getUser = () =>
  endpoint({
    ...shared,
    method: 'GET',
    url: '/auth/v1/user',
    summary: 'Supabase Auth: get the user of the session',
    auth: coreToken,
    schema: { response: { 200: supabaseUser } },
    errors: [],
    handler: async ({ caller }) => toSupabaseUser(caller.user),
  })

/** Changes the password. All logins end, so that the client signs in again with the new one. */
const updateUser = (deps: SupabaseEndpointDeps) =>
  endpoint({
    ...shared,
    method: 'PUT',
    url: '/auth/v1/user',
    summary: 'Supabase Auth: change your password, with the present one; nothing else can be changed',
    auth: coreToken,
    schema: {
      body: Type.Object(
        { password: Type.Optional(newPasswordField), current_password: Type.Optional(passwordField) },
        { title: 'SupabaseUserUpdate' },
      ),
      response: { 200: supabaseUser },
    },
    errors: [
      'CURRENT_PASSWORD_REQUIRED',
      'INVALID_PASSWORD',
      'PASSWORD_LENGTH',
      'TOO_MANY_ATTEMPTS',
      'TOO_MANY_PASSWORDS',
      ...WEAK_PASSWORD_ERRORS,
    ],
    invalid: invalidPassword,
    handler: async ({ body, caller: { user }, request, reply }) => {
      const { password, current_password: current } = body
      if (password === undefined)
        throw fault('BAD_REQUEST', { message: 'Only the password can be changed here' })
      if (current === undefined) throw fault('CURRENT_PASSWORD_REQUIRED')
      const succeeded = await limitGuesses(deps, { request, reply }, 'password', user.id)
      await deps.accounts.changePassword(user, current, password, { revokeTokens: true })
      await succeeded()
      return toSupabaseUser(user)
    },
  })

/** Ends the login of the token, the other ones of its user, or all. Personal access tokens remain. */
const logOut = ({ logins }: SupabaseEndpointDeps) =>
  endpoint({
    ...shared,
    method: 'POST',
    url: '/auth/v1/logout',
    summary: 'Supabase Auth: sign out here, elsewhere or everywhere',
    auth: coreToken,
    schema: {
      querystring: Type.Object({
        scope: Type.Optional(Type.Enum(['global', 'local', 'others'], { default: 'global' })),
      }),
      response: { 204: Type.Null() },
    },
    errors: [],
    handler: async ({ query: { scope = 'global' }, caller: { user, loginId }, reply }) => {
      if (loginId === undefined) throw fault('UNAUTHORIZED')
      if (scope === 'local') await logins.remove(user.id, loginId)
      else await logins.removeAll(user.id, scope === 'others' ? loginId : undefined)
      return reply.code(204).send()
    },
  })

const nothing = Type.Object({})

/** Sends a link to the page where a new password is set; `redirect_to` is ignored. */
const recover = (deps: SupabaseEndpointDeps) =>
  endpoint({
    ...shared,
    method: 'POST',
    url: '/auth/v1/recover',
    summary: 'Supabase Auth: request a link to reset your password',
    auth: ownPages,
    schema: {
      body: Type.Object({ email: emailField }, { title: 'SupabaseRecovery' }),
      response: { 200: nothing },
    },
    errors: ['TOO_MANY_ATTEMPTS'],
    handler: async ({ body: { email }, request, reply }) => {
      const send = (to: string) => deps.accounts.requestReset(to)
      await sendLink(deps, { request, reply }, { email, purpose: 'password-reset', send })
      return {}
    },
  })

const resend = (deps: SupabaseEndpointDeps) =>
  endpoint({
    ...shared,
    method: 'POST',
    url: '/auth/v1/resend',
    summary: 'Supabase Auth: request a link to confirm your e-mail address',
    auth: ownPages,
    schema: {
      body: Type.Object({ type: Type.Literal('signup'), email: emailField }, { title: 'SupabaseResend' }),
      response: { 200: nothing },
    },
    errors: ['TOO_MANY_ATTEMPTS'],
    handler: async ({ body: { email }, request, reply }) => {
      const send = (to: string) => deps.accounts.requestConfirmation(to)
      await sendLink(deps, { request, reply }, { email, purpose: 'verification', send })
      return {}
    },
  })

/** The part of the Supabase Auth protocol that builds of the open phone app use (SUP-1). */
export const supabaseEndpoints = (deps: SupabaseEndpointDeps): Endpoint[] => [
  signUpWithPassword(deps),
  getToken(deps),
  getUser(),
  updateUser(deps),
  logOut(deps),
  recover(deps),
  resend(deps),
]
