import { Type } from 'typebox'

const providerToken = (issuer: string) =>
  Type.Optional(
    Type.Union([Type.Null(), Type.String({ maxLength: 8_192 })], { description: `A token of ${issuer}` }),
  )

/** Schema of the body that exchanges the token of an identity provider for a core token. */
export const exchangeTokenBody = Type.Object(
  {
    supabaseToken: providerToken('Supabase'),
    authingToken: providerToken('Authing'),
    idToken: providerToken('an OpenID Connect issuer'),
    sessionToken: Type.Optional(
      Type.Union([Type.Null(), Type.String({ maxLength: 500 })], {
        description: 'A session token of this cloud; without any token, the session cookie counts',
      }),
    ),
  },
  { title: 'TokenExchange' },
)

/** Schema of the response with a core token and a refresh token. */
export const exchangeTokenResponse = Type.Object(
  {
    coreToken: Type.String(),
    refreshToken: Type.String({ description: 'For POST /api/auth/refresh; used once' }),
    expiresIn: Type.Integer({ description: 'Lifetime of the core token in seconds' }),
  },
  { title: 'ExchangedToken' },
)
