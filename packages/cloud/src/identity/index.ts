import type { ExportSection } from '../personal-data.ts'
import { lastUseView } from './last-use-store.ts'
import type { OrganizationStore } from './organization-store.ts'
import type { PersonalTokens } from './personal-tokens.ts'

export { type Access, AccessWatch } from './access-watch.ts'
export { ApiKeyStore } from './api-key-store.ts'
export { type ApiKeyOwner, ApiKeys, generateApiKey } from './api-keys.ts'
export { APP_TOKEN_LIFETIME_MS, AppTokens } from './app-tokens.ts'
export { AuthenticationCache } from './authentication-cache.ts'
export {
  type AccountClaims,
  Authenticator,
  type ForeignAuthentication,
  issuedBefore,
  LateAccountClaims,
} from './authenticator.ts'
export { type Credential, CredentialUses } from './credential-uses.ts'
export { displayNameOf, hashEmail, normalizeEmail, readEmailInUrl } from './email.ts'
export { type GuessLimit, GuessLimiter } from './guess-limiter.ts'
export { GuessStore } from './guess-store.ts'
export { createIdentityProviders, type IdentityProviders } from './identity-provider.ts'
export {
  type Invitation,
  type InvitationRejection,
  InvitationStore,
  type InvitationTokens,
} from './invitation-store.ts'
export { type IssuerEmail, readIssuerEmail } from './issuer-email.ts'
export { ISSUER_TIMEOUT_MS, loadIssuerMetadata } from './issuer-metadata.ts'
export { LastUseStore, lastUseView } from './last-use-store.ts'
export { LOGIN_LIFETIME_MS, type Login, type LoginOrigin, LoginStore } from './login-store.ts'
export {
  type IssuedTokens,
  isRevoked,
  LoginTokens,
  type LogOutDeps,
  logOutEverywhere,
} from './login-tokens.ts'
export { ALGORITHMS, type ForeignIdentity } from './openid-issuer.ts'
export {
  lockOrganization,
  type Member,
  type MemberChange,
  type Organization,
  OrganizationStore,
} from './organization-store.ts'
export {
  MAX_PERSONAL_TOKENS,
  PERSONAL_TOKEN_SCOPES,
  type PersonalToken,
  type PersonalTokenScope,
  PersonalTokenStore,
} from './personal-token-store.ts'
export { PersonalTokens } from './personal-tokens.ts'
export { IssuerUnavailable } from './published-keys.ts'
export { deriveSecret, hashSecret, isEqualSecret, seal, secretId, unseal } from './secrets.ts'
export { SupabaseClient } from './supabase-client.ts'
export { DEFAULT_TOKEN_LIFETIME_MS, type TokenScope, Tokens } from './tokens.ts'
export {
  AccountEnded,
  FIRST_ADMINISTRATOR,
  isLastAdministrator,
  LastAdministrator,
  lockUser,
  type NewHolder,
  PASSWORD_PROVIDER,
  requireOtherAdministrator,
  type User,
  UserStore,
  writeAs,
} from './user-store.ts'

/** Exports the user's memberships in organizations. */
export function organizationsExport(organizations: OrganizationStore): ExportSection {
  return {
    name: 'organizations',
    tables: ['organization_members'],
    async *facts({ id: userId }) {
      for (const { organization, role, joinedAt } of await organizations.organizationsOf(userId)) {
        const value = { name: organization.name, role, joinedAt: new Date(joinedAt).toISOString() }
        yield { key: organization.slug, value, updatedAt: joinedAt }
      }
    },
  }
}

/** Exports the user's personal access tokens, without anything that could be used to authenticate. */
export function personalTokensExport(tokens: Pick<PersonalTokens, 'list'>): ExportSection {
  return {
    name: 'personalTokens',
    tables: ['personal_tokens'],
    async *facts({ id: userId }) {
      for (const { id, name, scopes, createdAt, expiresAt, lastUse } of await tokens.list(userId)) {
        const value = {
          name,
          scopes,
          createdAt: new Date(createdAt).toISOString(),
          expiresAt: new Date(expiresAt).toISOString(),
          ...lastUseView(lastUse),
        }
        yield { key: id, value, updatedAt: createdAt }
      }
    },
  }
}
