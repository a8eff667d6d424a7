import { Type } from 'typebox'

const providerToken = (whose: string) =>
  Type.Optional(
    Type.Union([Type.Null(), Type.String({ maxLength: 8_192 })], { description: `A token of ${whose}` }),
  )

/** Schema of the body with which a phone turns the token of an identity provider into one of this cloud. */
export const exchangeTokenBody = Type.Object(
  {
    supabaseToken: providerToken('Supabase'),
    authingToken: providerToken('Authing'),
    idToken: providerToken('an OpenID Connect issuer'),
  },
  { title: 'TokenExchange' },
)

/** Schema of the answer with a core token. */
export const exchangeTokenResponse = Type.Object({ coreToken: Type.String() }, { title: 'ExchangedToken' })
