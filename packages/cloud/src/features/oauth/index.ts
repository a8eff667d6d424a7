export { createOAuth } from './feature.ts'
export { webAppOf } from './web-app.ts'
export type { WebTokens } from './web-tokens.ts'
