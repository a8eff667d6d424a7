import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { coreToken } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import type { LoginStore } from '../../../identity/index.ts'
import { requireRecentSignIn } from '../recent-sign-in.ts'
import { tags } from '../schemas.ts'
import type { SecurityNotices } from '../security-notices.ts'
import type { Challenges } from './challenges.ts'
import type { PasskeyStore } from './passkey-store.ts'
import { InvalidPasskey, type Passkeys } from './passkeys.ts'
import { type RelyingParty, relyingPartyOf } from './relying-party.ts'
import {
  creationOptions,
  passkeyName,
  passkeyParams,
  passkeyView,
  registrationResponse,
  toPasskeyView,
} from './schemas.ts'

export interface PasskeyEndpointDeps {
  readonly passkeys: Passkeys
  readonly store: PasskeyStore
  readonly challenges: Challenges
  readonly logins: LoginStore
  readonly notices: SecurityNotices
  readonly publicUrl: () => URL
  readonly now: () => number
}

/** @throws Fault if browsers have no passkeys at the address of the request */
export function requireRelyingParty(publicUrl: URL, request: FastifyRequest): RelyingParty {
  const relyingParty = relyingPartyOf(publicUrl, request)
  if (relyingParty === undefined) throw fault('PASSKEYS_UNAVAILABLE')
  return relyingParty
}

const registrationOptions = (deps: PasskeyEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/passkeys/registration-options',
    summary: 'Start to add a passkey; requires a sign-in within the last hour',
    tags,
    style: 'bare',
    auth: coreToken,
    schema: { response: { 200: creationOptions } },
    errors: ['RECENT_SIGN_IN_REQUIRED', 'PASSKEYS_UNAVAILABLE'],
    handler: async ({ caller, request, reply }) => {
      await requireRecentSignIn(deps, caller)
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
    tags,
    style: 'bare',
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
      await requireRecentSignIn(deps, caller)
      const relyingParty = requireRelyingParty(deps.publicUrl(), request)
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
    tags,
    style: 'bare',
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
    tags,
    style: 'bare',
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
    tags,
    style: 'bare',
    auth: coreToken,
    schema: { params: passkeyParams, response: { 200: Type.Object({ success: Type.Literal(true) }) } },
    errors: ['PASSKEY_NOT_FOUND'],
    handler: async ({ caller, params: { id } }) => {
      if (!(await store.remove(caller.user.id, id))) throw fault('PASSKEY_NOT_FOUND')
      return { success: true as const }
    },
  })

/** The endpoints with which users manage their passkeys. */
export const passkeyEndpoints = (deps: PasskeyEndpointDeps) => [
  registrationOptions(deps),
  register(deps),
  list(deps),
  rename(deps),
  remove(deps),
]
