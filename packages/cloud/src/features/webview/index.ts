export { webviewEndpoints } from './endpoints.ts'
export { WebviewTokenStore } from './webview-token-store.ts'
export { WebviewTokens } from './webview-tokens.ts'
