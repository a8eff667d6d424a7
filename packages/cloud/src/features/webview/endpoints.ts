import { exchangeStoreToken } from './exchange-store-token.ts'
import { exchangeUserToken } from './exchange-user-token.ts'
import { generateWebviewSignedUserToken } from './generate-webview-signed-user-token.ts'
import { generateWebviewToken } from './generate-webview-token.ts'
import { hashWithApiKey } from './hash-with-api-key.ts'

/** How web views of apps learn who looks at them (app socket protocol, 3.5). */
export const webviewEndpoints = [
  generateWebviewToken,
  generateWebviewSignedUserToken,
  hashWithApiKey,
  exchangeUserToken,
  exchangeStoreToken,
]
