import { Type } from 'typebox'

const packageName = Type.String({ minLength: 1, maxLength: 300 })
const success = Type.Literal(true)

/** How long a temporary token of a web view lives, in ms. */
export const WEBVIEW_TOKEN_TTL_MS = 60_000

/** Schema of the body that asks for a token for the web view of an app. */
export const webviewTokenBody = Type.Object({ packageName }, { title: 'WebviewTokenRequest' })

/** Schema of the answer with a temporary token. */
export const webviewTokenResponse = Type.Object(
  { success, token: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Good once, for 60 seconds' }) },
  { title: 'WebviewToken' },
)

/** Schema of the answer with a signed token. */
export const webviewSignedTokenResponse = Type.Object(
  {
    success,
    token: Type.String({ description: 'RS256; its key is at /.well-known/jwks.json' }),
    expiresIn: Type.Literal('10m'),
  },
  { title: 'WebviewSignedToken' },
)

/** Schema of the body that asks for a hash with the key of an app. */
export const keyHashBody = Type.Object(
  {
    stringToHash: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'The public address of this cloud, or the e-mail of the caller',
    }),
    packageName,
  },
  { title: 'KeyHashRequest' },
)

/** Schema of the answer with a hash. */
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

/** Schema of the body with which an app server turns a temporary token into its user. */
export const exchangeUserTokenBody = Type.Object(
  { aos_temp_token: Type.String({ minLength: 1, maxLength: 200 }), packageName },
  { title: 'UserTokenExchange' },
)

/** Schema of the answer that says who the user is. */
export const exchangeUserTokenResponse = Type.Object(
  { success, userId: Type.String({ description: 'E-mail' }) },
  { title: 'ExchangedUser' },
)

/** Schema of the answer with which the store acts for its user. */
export const exchangeStoreTokenResponse = Type.Object(
  {
    success,
    userId: Type.String({ description: 'E-mail' }),
    tokens: Type.Object({ coreToken: Type.String({ description: 'Good for an hour' }) }),
  },
  { title: 'ExchangedStoreToken' },
)
