import { Type } from 'typebox'
import type { IssuedTokens, User } from '../../../identity/index.ts'

const time = Type.String({ format: 'date-time' })

const supabaseUserFields = {
  id: Type.String(),
  aud: Type.Literal('authenticated'),
  role: Type.Literal('authenticated'),
  email: Type.String(),
  email_confirmed_at: Type.Optional(time),
  phone: Type.String(),
  app_metadata: Type.Object({ provider: Type.String(), providers: Type.Array(Type.String()) }),
  user_metadata: Type.Object({
    email: Type.String(),
    email_verified: Type.Boolean(),
    full_name: Type.String(),
  }),
  identities: Type.Array(
    Type.Object({
      id: Type.String(),
      identity_id: Type.String(),
      user_id: Type.String(),
      provider: Type.String(),
      identity_data: Type.Object({ sub: Type.String(), email: Type.String() }),
      created_at: time,
      updated_at: time,
    }),
  ),
  created_at: time,
  updated_at: time,
  is_anonymous: Type.Literal(false),
}

/** A user, as clients of Supabase Auth read one. */
export const supabaseUser = Type.Object(supabaseUserFields, { title: 'SupabaseUser' })

/** A session, as clients of Supabase Auth read one. */
export const supabaseSession = Type.Object(
  {
    access_token: Type.String({ description: 'A core token' }),
    token_type: Type.Literal('bearer'),
    expires_in: Type.Integer({ description: 'Lifetime of the access token in seconds' }),
    expires_at: Type.Integer({ description: 'Its end, in seconds since 1970' }),
    refresh_token: Type.String({ description: 'Used once' }),
    user: supabaseUser,
  },
  { title: 'SupabaseSession' },
)

/** What {@link toSupabaseUser} shows of a user. */
export type ShownUser = Pick<User, 'id' | 'email' | 'name' | 'isEmailVerified' | 'createdAt' | 'updatedAt'>

export function toSupabaseUser({ id, email, name, isEmailVerified, createdAt, updatedAt }: ShownUser) {
  const times = {
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
  }
  return {
    id,
    aud: 'authenticated' as const,
    role: 'authenticated' as const,
    email,
    // When it was confirmed is not stored; clients only test whether it was.
    ...(isEmailVerified && { email_confirmed_at: times.created_at }),
    phone: '',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { email, email_verified: isEmailVerified, full_name: name },
    identities: [
      {
        id,
        identity_id: id,
        user_id: id,
        provider: 'email',
        identity_data: { sub: id, email },
        ...times,
      },
    ],
    ...times,
    is_anonymous: false as const,
  }
}

/** @param now epoch ms */
export function toSupabaseSession(
  { coreToken, refreshToken, expiresIn }: IssuedTokens,
  user: ShownUser,
  now: number,
) {
  return {
    access_token: coreToken,
    token_type: 'bearer' as const,
    expires_in: expiresIn,
    expires_at: Math.floor(now / 1000) + expiresIn,
    refresh_token: refreshToken,
    user: toSupabaseUser(user),
  }
}
