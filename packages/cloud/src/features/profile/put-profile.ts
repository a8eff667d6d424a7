import { MAX_PROFILE_FIELDS, profileUpdate, updatedUser } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { ProfileEndpointDeps } from './deps.ts'
import { toUpdatedUser } from './user-view.ts'

/** Length of the name of a profile field, in characters. */
const MAX_FIELD_NAME_LENGTH = 100

/** Names that could pollute a prototype (decision A2). */
const FORBIDDEN_FIELD_NAMES = new Set(['__proto__', 'constructor', 'prototype'])

/** Fields of every profile; only the others are limited in number. */
const STANDARD_FIELDS = ['displayName', 'phoneNumber']

type Fields = Readonly<Record<string, string>>

/** Changes the user's name and profile; fields missing from the request remain unchanged (decision A2). */
export const putProfile = ({ users, now }: ProfileEndpointDeps) =>
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
