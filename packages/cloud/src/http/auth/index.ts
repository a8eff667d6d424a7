export { allowedApiKey, appKeyHeaders, appPair, appSession, audioApiKey } from './app-schemes.ts'
export { none, ownPages } from './open-schemes.ts'
export {
  type AppCaller,
  type AuthScheme,
  absent,
  accepted,
  bearerToken,
  eitherOf,
  rejected,
  type SchemeDeps,
  type UserCaller,
} from './scheme.ts'
export { authenticateCookie, COOKIE_PREFIX, cookieName, SESSION_COOKIE } from './session-cookie.ts'
export {
  administrator,
  coreOrPersonalToken,
  coreOrStoreToken,
  coreToken,
  glassesToken,
  glassesTokenAnywhere,
  optionalCoreOrStoreToken,
  optionalCoreToken,
} from './user-schemes.ts'
