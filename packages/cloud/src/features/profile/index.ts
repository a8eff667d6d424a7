import {
  type AccountUser,
  accountUser,
  MAX_PROFILE_FIELDS,
  privacySettings,
  privacyUpdate,
  profileUpdate,
  updatedUser,
} from '@glasses-cloud/contract'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import { coreOrPersonalToken, coreOrStoreToken, coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { User, UserStore } from '../../identity/index.ts'
import { profileSections } from './personal-data.ts'
import { PrivacyStore } from './privacy-store.ts'

interface ProfileEndpointDeps {
  readonly users: UserStore
  readonly privacy: PrivacyStore
  /** Epoch ms. */
  readonly now: () => number
}

/** Returns the signed-in user. */
const getMe = () =>
  endpoint({
    method: 'GET',
    url: '/api/account/me',
    summary: 'Get the signed-in user',
    tags: ['account'],
    style: 'bare',
    auth: coreOrPersonalToken('account', coreOrStoreToken),
    schema: { response: { 200: accountUser } },
    errors: ['USER_UNREADABLE'],
    failure: 'USER_UNREADABLE',
    handler: async ({ caller }) => toAccountUser(caller.user),
  })

/** Length of the name of a profile field, in characters. */
const MAX_FIELD_NAME_LENGTH = 100

/** Names that could pollute a prototype (decision A2). */
const FORBIDDEN_FIELD_NAMES = new Set(['__proto__', 'constructor', 'prototype'])

/** Fields of every profile; only the others are limited in number. */
const STANDARD_FIELDS = ['displayName', 'phoneNumber']

type Fields = Readonly<Record<string, string>>

/** Changes the user's name and profile; fields missing from the request remain unchanged (decision A2). */
const putProfile = ({ users, now }: ProfileEndpointDeps) =>
  endpoint({
    method: 'PUT',
    url: '/api/account/profile',
    summary: 'Change name and profile',
    tags: ['account'],
    style: 'bare',
    auth: coreToken,
    schema: { body: profileUpdate, response: { 200: updatedUser } },
    errors: ['USER_NOT_FOUND', 'PROFILE_NOT_UPDATED'],
    failure: 'PROFILE_NOT_UPDATED',
    handler: async ({ caller, body }) => {
      const { name, ...rest } = body
      // The schema permits only strings as values.
      const fields = rest as Fields
      Object.keys(fields).forEach(checkFieldName)
      if (name !== undefined && /\p{Cc}/u.test(name))
        throw badRequest('name must not contain control characters')
      const user = await users.update(
        caller.user.id,
        { name, profile: (stored) => mergeFields(stored, fields) },
        now(),
      )
      if (user === undefined) throw fault('USER_NOT_FOUND')
      return toUpdatedUser(user)
    },
  })

function mergeFields(stored: Fields, fields: Fields): Fields {
  const profile = { ...stored, ...fields }
  const additional = Object.keys(profile).filter((field) => !STANDARD_FIELDS.includes(field))
  if (additional.length > MAX_PROFILE_FIELDS)
    throw badRequest(`The profile must have at most ${MAX_PROFILE_FIELDS} additional fields`)
  return profile
}

function checkFieldName(field: string): void {
  if (FORBIDDEN_FIELD_NAMES.has(field)) throw badRequest(`${field} cannot be the name of a field`)
  if (field.length === 0 || field.length > MAX_FIELD_NAME_LENGTH)
    throw badRequest(`The name of a field must have 1 to ${MAX_FIELD_NAME_LENGTH} characters`)
}

const badRequest = (message: string) => fault('BAD_REQUEST', { message })

/** Returns a user as a profile update returns it. */
function toUpdatedUser({ id, email, name, profile }: User): Omit<AccountUser, 'createdAt'> {
  return { id, email, name, profile: { displayName: '', phoneNumber: '', ...profile } }
}

/** Returns a user as `GET /api/account/me` returns it. */
function toAccountUser(user: User): AccountUser {
  return { ...toUpdatedUser(user), createdAt: new Date(user.createdAt).toISOString() }
}

/** Returns the privacy settings of the user, or the defaults (decision A1). */
const getPrivacy = ({ privacy }: ProfileEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/account/privacy',
    summary: 'Get the privacy settings',
    tags: ['account'],
    style: 'bare',
    auth: coreToken,
    schema: { response: { 200: privacySettings } },
    errors: [],
    handler: async ({ caller }) => (await privacy.find(caller.user.id)).settings,
  })

/** Changes the given privacy settings; the others remain unchanged (decision A1). */
const putPrivacy = ({ privacy, now }: ProfileEndpointDeps) =>
  endpoint({
    method: 'PUT',
    url: '/api/account/privacy',
    summary: 'Change privacy settings',
    tags: ['account'],
    style: 'bare',
    auth: coreToken,
    schema: { body: privacyUpdate, response: { 200: privacySettings } },
    errors: ['PRIVACY_NOT_UPDATED'],
    failure: 'PRIVACY_NOT_UPDATED',
    handler: async ({ caller, body }) => privacy.merge(caller.user.id, body, now()),
  })

/** The endpoints of profile and privacy settings. */
const profileEndpoints = (deps: ProfileEndpointDeps) => [
  getMe(),
  putProfile(deps),
  getPrivacy(deps),
  putPrivacy(deps),
]

export interface ProfileDeps {
  readonly db: Database
  readonly users: UserStore
  /** Epoch ms. */
  readonly now: () => number
}

/** The user's own account: profile and privacy settings, under `/api/account`. */
export function createProfile({ db, users, now }: ProfileDeps): Feature {
  const privacy = new PrivacyStore(db)
  return {
    name: 'profile',
    endpoints: profileEndpoints({ users, privacy, now }),
    exportSections: profileSections({ users, privacy }),
  }
}
