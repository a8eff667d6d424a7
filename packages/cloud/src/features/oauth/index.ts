export { createOAuth } from './feature.ts'
export { findWebApp } from './find-web-app.ts'
export type { WebTokens } from './web-tokens.ts'
