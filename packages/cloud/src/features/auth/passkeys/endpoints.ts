import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { coreToken, ownPages } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import type { GuessLimiter, User, UserStore } from '../../../identity/index.ts'
import type { BrowserLogins } from '../browser-logins.ts'
import { limitGuesses } from '../guess-limits.ts'
import { coded, sessionToken, success } from '../schemas.ts'
import type { SecurityNotices } from '../security-notices.ts'
import type { Challenges } from './challenges.ts'
import type { PasskeyStore } from './passkey-store.ts'
import { InvalidPasskey, type Passkeys, type RelyingParty, relyingPartyOf } from './passkeys.ts'
import {
  authenticationResponse,
  creationOptions,
  passkeyName,
  passkeyParams,
  passkeyView,
  registrationResponse,
  requestOptions,
  toPasskeyView,
} from './schemas.ts'

export interface PasskeyEndpointDeps {
  readonly passkeys: Passkeys
  readonly store: PasskeyStore
  readonly challenges: Challenges
  readonly browserLogins: BrowserLogins
  readonly guesses: GuessLimiter
  readonly users: UserStore
  readonly notices: SecurityNotices
  readonly verifyEmail: boolean
  readonly publicUrl: () => URL
}

/** @throws Fault if browsers have no passkeys at the address of the request */
function requireRelyingParty(publicUrl: URL, request: FastifyRequest): RelyingParty {
  const relyingParty = relyingPartyOf(publicUrl, request)
  if (relyingParty === undefined) throw fault('PASSKEYS_UNAVAILABLE')
  return relyingParty
}

const registrationOptions = (deps: PasskeyEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/passkeys/registration-options',
    summary: 'Start to add a passkey; requires a sign-in within the last hour',
    ...coded,
    auth: coreToken,
    schema: { response: { 200: creationOptions } },
    errors: ['RECENT_SIGN_IN_REQUIRED', 'PASSKEYS_UNAVAILABLE'],
    handler: async ({ caller, request, reply }) => {
      await deps.browserLogins.requireRecent(caller)
      const relyingParty = requireRelyingParty(deps.publicUrl(), request)
      const challenge = deps.challenges.issue(reply, 'registration', caller.user.id)
      return (await deps.passkeys.registrationOptions(caller.user, challenge, relyingParty)) as never
    },
  })

const register = (deps: PasskeyEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/passkeys',
    summary: 'Add the passkey that the browser created; requires a sign-in within the last hour',
    ...coded,
    auth: coreToken,
    schema: {
      body: Type.Object(
        { name: Type.Optional(passkeyName), credential: registrationResponse },
        { title: 'NewPasskey' },
      ),
      response: { 200: passkeyView },
    },
    errors: [
      'RECENT_SIGN_IN_REQUIRED',
      'PASSKEYS_UNAVAILABLE',
      'PASSKEY_REGISTRATION_REJECTED',
      'TOO_MANY_PASSKEYS',
    ],
    handler: async ({ body, caller, request, reply, log }) => {
      await deps.browserLogins.requireRecent(caller)
      const relyingParty = requireRelyingParty(deps.publicUrl(), request)
      // The response to the first request may have been lost.
      const known = await deps.store.findByCredential(body.credential.id)
      if (known?.userId === caller.user.id) return toPasskeyView(known)
      const challenge = await deps.challenges.use(request, reply, 'registration', caller.user.id)
      if (challenge === undefined) throw fault('PASSKEY_REGISTRATION_REJECTED')
      const answer = { response: body.credential as never, challenge, relyingParty }
      try {
        const added = await deps.passkeys.register(caller.user, body.name ?? 'Passkey', answer)
        if (added === 'tooMany') throw fault('TOO_MANY_PASSKEYS')
        if (added === 'exists') throw fault('PASSKEY_REGISTRATION_REJECTED')
        deps.notices.passkeyAdded(caller.user.email)
        return toPasskeyView(added)
      } catch (error) {
        if (!(error instanceof InvalidPasskey)) throw error
        log.debug({ reason: error.message }, 'passkey: registration rejected')
        throw fault('PASSKEY_REGISTRATION_REJECTED', { cause: error })
      }
    },
  })

const list = ({ store }: PasskeyEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/auth/passkeys',
    summary: 'List your passkeys',
    ...coded,
    auth: coreToken,
    schema: { response: { 200: Type.Object({ passkeys: Type.Array(passkeyView) }) } },
    errors: [],
    handler: async ({ caller }) => ({ passkeys: (await store.list(caller.user.id)).map(toPasskeyView) }),
  })

const rename = ({ store }: PasskeyEndpointDeps) =>
  endpoint({
    method: 'PATCH',
    url: '/api/auth/passkeys/:id',
    summary: 'Rename a passkey',
    ...coded,
    auth: coreToken,
    schema: {
      params: passkeyParams,
      body: Type.Object({ name: passkeyName }, { title: 'PasskeyName' }),
      response: { 200: passkeyView },
    },
    errors: ['PASSKEY_NOT_FOUND'],
    handler: async ({ caller, params: { id }, body }) => {
      const renamed = await store.rename(caller.user.id, id, body.name)
      if (renamed === undefined) throw fault('PASSKEY_NOT_FOUND')
      return toPasskeyView(renamed)
    },
  })

const remove = ({ store }: PasskeyEndpointDeps) =>
  endpoint({
    method: 'DELETE',
    url: '/api/auth/passkeys/:id',
    summary: 'Delete a passkey, which then no longer signs in',
    ...coded,
    auth: coreToken,
    schema: { params: passkeyParams, response: { 200: success } },
    errors: ['PASSKEY_NOT_FOUND'],
    handler: async ({ caller, params: { id } }) => {
      if (!(await store.remove(caller.user.id, id))) throw fault('PASSKEY_NOT_FOUND')
      return { success: true as const }
    },
  })

const signInOptions = ({ passkeys, challenges, publicUrl }: PasskeyEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/passkeys/sign-in-options',
    summary: 'Start to sign in with a passkey',
    ...coded,
    auth: ownPages,
    schema: { response: { 200: requestOptions } },
    errors: ['PASSKEYS_UNAVAILABLE'],
    handler: async ({ request, reply }) => {
      const relyingParty = requireRelyingParty(publicUrl(), request)
      const challenge = challenges.issue(reply, 'sign-in')
      return (await passkeys.signInOptions(challenge, relyingParty)) as never
    },
  })

/** Signs in with a passkey, which is two factors: having the authenticator, and its check of the user. */
const signIn = ({ challenges, browserLogins, guesses, publicUrl, ...deps }: PasskeyEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/passkeys/sign-in',
    summary: 'Sign in with a passkey',
    ...coded,
    auth: ownPages,
    schema: {
      body: Type.Object({ credential: authenticationResponse }, { title: 'PasskeySignIn' }),
      response: {
        200: Type.Object(
          {
            token: sessionToken,
            user: Type.Object({ id: Type.String(), email: Type.String(), name: Type.String() }),
          },
          { title: 'SignedInWithPasskey' },
        ),
      },
    },
    errors: [
      'PASSKEYS_UNAVAILABLE',
      'PASSKEY_REJECTED',
      'ACCOUNT_SUSPENDED',
      'EMAIL_NOT_VERIFIED',
      'TOO_MANY_ATTEMPTS',
    ],
    handler: async ({ body: { credential }, request, reply, log }) => {
      const relyingParty = requireRelyingParty(publicUrl(), request)
      const succeeded = await limitGuesses(
        { guesses, browserLogins },
        { request, reply },
        'passkey',
        credential.id,
        (await deps.store.findByCredential(credential.id))?.userId,
      )
      const challenge = await challenges.use(request, reply, 'sign-in')
      if (challenge === undefined) throw fault('PASSKEY_REJECTED')
      const userId = await deps.passkeys
        .authenticate({ response: credential as never, challenge, relyingParty })
        .catch((error: unknown) => {
          if (!(error instanceof InvalidPasskey)) throw error
          log.debug({ reason: error.message }, 'passkey: sign-in rejected')
          throw fault('PASSKEY_REJECTED', { cause: error })
        })
      const user = await userWithAccess(deps, userId)
      await succeeded()
      const token = await browserLogins.start(user, request, reply)
      return { token, user: { id: user.id, email: user.email, name: user.name } }
    },
  })

async function userWithAccess(
  { users, verifyEmail }: Pick<PasskeyEndpointDeps, 'users' | 'verifyEmail'>,
  userId: string,
): Promise<User> {
  const user = await users.findById(userId)
  if (user === undefined) throw fault('PASSKEY_REJECTED')
  if (user.suspendedAt !== undefined) throw fault('ACCOUNT_SUSPENDED')
  if (verifyEmail && !user.isEmailVerified) throw fault('EMAIL_NOT_VERIFIED')
  return user
}

/** The endpoints with which users manage their passkeys and sign in with them. */
export const passkeyEndpoints = (deps: PasskeyEndpointDeps) => [
  registrationOptions(deps),
  register(deps),
  list(deps),
  rename(deps),
  remove(deps),
  signInOptions(deps),
  signIn(deps),
]
