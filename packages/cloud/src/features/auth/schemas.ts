import { Type } from 'typebox'
import type { User } from '../../identity/index.ts'

export const tags = ['auth'] as const

/** What most endpoints of the feature have in common. */
export const coded = { tags, style: 'coded' } as const

export const success = Type.Object({ success: Type.Literal(true) })

const time = Type.String({ format: 'date-time' })

export const emailField = Type.String({ minLength: 3, maxLength: 254, description: 'E-mail address' })
export const passwordField = Type.String({ minLength: 1, maxLength: 128 })
export const newPasswordField = Type.String({
  minLength: 8,
  maxLength: 128,
  description: '8 to 128 characters; common and easily guessed passwords are rejected',
})

/** The user of a session, as browsers see it. */
export const sessionUser = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    emailVerified: Type.Boolean(),
    image: Type.Union([Type.Null(), Type.String()]),
    twoFactorEnabled: Type.Boolean(),
    isAdministrator: Type.Boolean(),
    createdAt: time,
    updatedAt: time,
  },
  { title: 'SessionUser' },
)

/** A session without its token. */
export const session = Type.Object(
  {
    id: Type.String(),
    expiresAt: time,
    createdAt: time,
    updatedAt: time,
    ipAddress: Type.Union([Type.Null(), Type.String()]),
    userAgent: Type.Union([Type.Null(), Type.String()]),
  },
  { title: 'Session' },
)

export const sessionToken = Type.Union([Type.Null(), Type.String()], {
  description:
    'Session token, which POST /api/auth/exchange-token accepts as sessionToken; browsers use the cookie',
})

export function toSessionUser(user: User) {
  const { id, email, name, isEmailVerified, hasSecondFactor, isAdministrator, createdAt, updatedAt } = user
  return {
    id,
    email,
    name,
    emailVerified: isEmailVerified,
    image: null,
    twoFactorEnabled: hasSecondFactor,
    isAdministrator,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}
