import { Type } from 'typebox'
import { lastUseView, PERSONAL_TOKEN_SCOPES, type PersonalToken } from '../../../../identity/index.ts'

/** Longest lifetime of a personal token. */
export const MAX_LIFETIME_DAYS = 366

export const personalTokenFields = {
  id: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
  scopes: Type.Array(Type.Enum(PERSONAL_TOKEN_SCOPES), { minItems: 1, maxItems: 3 }),
}

export const personalTokenView = Type.Object(
  {
    ...personalTokenFields,
    createdAt: Type.String({ format: 'date-time' }),
    expiresAt: Type.String({ format: 'date-time' }),
    lastUsedAt: Type.Union([Type.Null(), Type.String({ format: 'date-time' })], {
      description: 'Time of the last use, to the minute',
    }),
    lastUsedIpAddress: Type.Union([Type.Null(), Type.String()], {
      description: 'Address of the client then',
    }),
  },
  { title: 'PersonalToken' },
)

export function toPersonalTokenView({ id, name, scopes, createdAt, expiresAt, lastUse }: PersonalToken) {
  return {
    id,
    name,
    scopes: [...scopes],
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    ...lastUseView(lastUse),
  }
}
