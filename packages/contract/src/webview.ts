import { Type } from 'typebox'

const packageName = Type.String({ minLength: 1, maxLength: 300 })
const success = Type.Literal(true)

/** Lifetime of a temporary web view token. */
export const WEBVIEW_TOKEN_TTL_MS = 60_000

/** Schema of the body that requests a token for the web view of an app. */
export const webviewTokenBody = Type.Object({ packageName }, { title: 'WebviewTokenRequest' })

/** Schema of the response with a temporary token. */
export const webviewTokenResponse = Type.Object(
  { success, token: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Valid once, for 60 seconds' }) },
  { title: 'WebviewToken' },
)

/** Schema of the response with a signed token. */
export const webviewSignedTokenResponse = Type.Object(
  {
    success,
    token: Type.String({ description: 'RS256; the key is published at /.well-known/jwks.json' }),
    expiresIn: Type.Literal('10m'),
  },
  { title: 'WebviewSignedToken' },
)

/** Schema of the body that requests a hash made with the API key of an app. */
export const keyHashBody = Type.Object(
  {
    stringToHash: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'The public URL of this cloud, or the e-mail address of the caller',
    }),
    packageName,
  },
  { title: 'KeyHashRequest' },
)

/** Schema of the response with a hash. */
export const keyHashResponse = Type.Object(
  {
    success,
    hash: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: "SHA-256 of the text followed by the hex SHA-256 of the app's newest API key",
    }),
  },
  { title: 'KeyHash' },
)

/** Schema of the body with which an app server exchanges a temporary token for the user. */
export const exchangeUserTokenBody = Type.Object(
  { aos_temp_token: Type.String({ minLength: 1, maxLength: 200 }), packageName },
  { title: 'UserTokenExchange' },
)

/** Schema of the response with the user. */
export const exchangeUserTokenResponse = Type.Object(
  { success, userId: Type.String({ description: 'E-mail address' }) },
  { title: 'ExchangedUser' },
)

/** Schema of the response with a core token for the app store. */
export const exchangeStoreTokenResponse = Type.Object(
  {
    success,
    userId: Type.String({ description: 'E-mail address' }),
    tokens: Type.Object({ coreToken: Type.String({ description: 'Valid for one hour' }) }),
  },
  { title: 'ExchangedStoreToken' },
)
