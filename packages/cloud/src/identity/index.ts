export { type Access, AccessWatch } from './access-watch.ts'
export { type AccountClaims, LateAccountClaims } from './account-claims.ts'
export { ApiKeyStore } from './api-key-store.ts'
export { type ApiKeyOwner, ApiKeys, generateApiKey } from './api-keys.ts'
export { APP_TOKEN_LIFETIME_MS, AppTokens } from './app-tokens.ts'
export { AuthenticationCache } from './authentication-cache.ts'
export { Authenticator, type ForeignAuthentication, issuedBefore } from './authenticator.ts'
export { type Credential, CredentialUses } from './credential-uses.ts'
export { displayNameOf, hashEmail, normalizeEmail } from './email.ts'
export { type GuessLimit, GuessLimiter } from './guess-limiter.ts'
export { GuessStore } from './guess-store.ts'
export { createIdentityProviders, type IdentityProviders } from './identity-provider.ts'
export {
  type Invitation,
  type InvitationRejection,
  InvitationStore,
  type InvitationTokens,
} from './invitation-store.ts'
export { IssuerUnavailable } from './issuer-unavailable.ts'
export {
  isLastAdministrator,
  LastAdministrator,
  requireOtherAdministrator,
} from './last-administrator-store.ts'
export { LastUseStore, lastUseView } from './last-use-store.ts'
export { LOGIN_LIFETIME_MS, type Login, type LoginOrigin, LoginStore } from './login-store.ts'
export {
  type IssuedTokens,
  isRevoked,
  LoginTokens,
  type LogOutDeps,
  logOutEverywhere,
} from './login-tokens.ts'
export type { ForeignIdentity } from './openid-issuer.ts'
export {
  lockOrganization,
  type Member,
  type MemberChange,
  type Organization,
  OrganizationStore,
} from './organization-store.ts'
export { organizationsExport, personalTokensExport } from './personal-data.ts'
export {
  MAX_PERSONAL_TOKENS,
  PERSONAL_TOKEN_SCOPES,
  type PersonalToken,
  type PersonalTokenScope,
  PersonalTokenStore,
} from './personal-token-store.ts'
export { PersonalTokens } from './personal-tokens.ts'
export { deriveSecret, hashSecret, isEqualSecret, seal, secretId, unseal } from './secrets.ts'
export { SupabaseClient } from './supabase-client.ts'
export { DEFAULT_TOKEN_LIFETIME_MS, type TokenScope, Tokens } from './tokens.ts'
export {
  AccountEnded,
  FIRST_ADMINISTRATOR,
  lockUser,
  type NewHolder,
  PASSWORD_PROVIDER,
  type User,
  UserStore,
  writeAs,
} from './user-store.ts'
