export { administrator } from './administrator.ts'
export { allowedApiKey } from './allowed-api-key.ts'
export { appKeyHeaders } from './app-key-headers.ts'
export { appPair } from './app-pair.ts'
export { appSession } from './app-session.ts'
export { audioApiKey } from './audio-api-key.ts'
export { bearerToken } from './bearer.ts'
export type { AppCaller, UserCaller } from './caller.ts'
export { coreToken } from './core-token.ts'
export { type CurrentUserDeps, findCurrentUser } from './current-user.ts'
export type { AuthDeps } from './deps.ts'
export { eitherOf } from './either-of.ts'
export { glassesToken } from './glasses-token.ts'
export { glassesTokenAnywhere } from './glasses-token-anywhere.ts'
export { none } from './none.ts'
export { optionalCoreToken } from './optional-core-token.ts'
export { ownPages } from './own-pages.ts'
export { coreOrPersonalToken } from './personal-token.ts'
export {
  type AuthScheme,
  absent,
  accepted,
  rejected,
} from './scheme.ts'
export { authenticateCookie, COOKIE_PREFIX, SESSION_COOKIE } from './session-cookie.ts'
