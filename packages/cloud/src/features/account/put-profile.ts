import { MAX_PROFILE_FIELDS, profileUpdate, updatedUser } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { AccountEndpointDeps } from './deps.ts'
import { tags } from './schemas.ts'
import { updatedUserView } from './user-view.ts'

/** Longest name of a profile field, in characters. */
const maxFieldName = 100

/** Names with which an object could be made to be what it is not (decision A2). */
const poisonous = new Set(['__proto__', 'constructor', 'prototype'])

/** Fields every profile has. */
const standard = ['displayName', 'phoneNumber']

type Fields = Readonly<Record<string, string>>

/** Changes the user's name and profile; what the request leaves out stays (decision A2). */
export const putProfile = ({ users, now }: AccountEndpointDeps) =>
  endpoint({
    method: 'PUT',
    url: '/api/account/profile',
    summary: 'Change name and profile',
    tags,
    style: 'bare',
    auth: coreToken,
    schema: { body: profileUpdate, response: { 200: updatedUser } },
    errors: ['USER_NOT_FOUND', 'PROFILE_NOT_UPDATED'],
    failure: 'PROFILE_NOT_UPDATED',
    handler: async ({ caller, body }) => {
      const { name, ...rest } = body
      // Every value is text by the schema, and JSON has no undefined.
      const fields = rest as Fields
      Object.keys(fields).forEach(checkFieldName)
      if (name !== undefined && /\p{Cc}/u.test(name))
        throw refused('name must not contain control characters')
      const user = await users.update(
        caller.user.id,
        { name, profile: (stored) => merged(stored, fields) },
        now(),
      )
      if (user === undefined) throw fault('USER_NOT_FOUND')
      return updatedUserView(user)
    },
  })

function merged(stored: Fields, fields: Fields): Fields {
  const profile = { ...stored, ...fields }
  const additional = Object.keys(profile).filter((field) => !standard.includes(field))
  if (additional.length > MAX_PROFILE_FIELDS)
    throw refused(`The profile must have at most ${MAX_PROFILE_FIELDS} additional fields`)
  return profile
}

function checkFieldName(field: string): void {
  if (poisonous.has(field)) throw refused(`${field} cannot be the name of a field`)
  if (field.length === 0 || field.length > maxFieldName)
    throw refused(`The name of a field must have 1 to ${maxFieldName} characters`)
}

const refused = (message: string) => fault('BAD_REQUEST', { message })
