export { oauthEndpoints } from './endpoints.ts'
export { SigningKeyStore } from './signing-key-store.ts'
export { webAppOf } from './web-app.ts'
export { WebTokens } from './web-tokens.ts'
