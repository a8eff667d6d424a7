import type { ErrorCode } from '@glasses-cloud/contract'
import type { FastifyRequest } from 'fastify'
import type {
  ApiKeys,
  Authenticator,
  Credential,
  CredentialUses,
  PersonalTokens,
  TokenScope,
  User,
} from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { OriginDeps } from '../request-origin.ts'

/** An unauthenticated caller. */
export interface AnonymousCaller {
  readonly kind: 'anonymous'
}

/** A user, or a package that acts on behalf of a user. */
export interface UserCaller {
  readonly kind: 'user'
  readonly user: User
  /** Scope of the token; `core` for API keys. */
  readonly scope: TokenScope
  /** The login that the credential belongs to; undefined for tokens without one, personal tokens and API keys. */
  readonly loginId?: string | undefined
  /** Epoch ms from which the token is rejected; undefined for other credentials, whose end is stored. */
  readonly tokenExpiresAt?: number | undefined
  /** The personal token that authenticated the caller. */
  readonly personalTokenId?: string | undefined
  /** Whether it is a page of this cloud, authenticated by its session cookie. */
  readonly hasCookie?: boolean | undefined
  /** The app that acts for the user with its API key. */
  readonly app?: AppCaller['app'] | undefined
}

/** An app, authenticated by its API key. */
export interface AppCaller {
  readonly kind: 'app'
  readonly app: { readonly id: string; readonly packageName: string; readonly keyId: string }
}

/** Collaborators of the authentication schemes. */
export interface SchemeDeps extends OriginDeps {
  readonly authenticator: Authenticator
  readonly apiKeys: ApiKeys
  /** Records the last use of credentials. */
  readonly credentialUses: Pick<CredentialUses, 'record'>
  readonly personalTokens: Pick<PersonalTokens, 'isPersonalToken' | 'verify'>
  /** Live sessions, by which app sessions authenticate. */
  readonly sessions: Pick<SessionDirectory, 'findBySessionId'>
  /** Packages whose API key may act for any user (`API_KEY_PACKAGES`). */
  readonly actingPackages: readonly string[]
  /** Packages whose API key may read recent audio (`AUDIO_PACKAGE`). */
  readonly audioPackages: readonly string[]
}

/** An entry of `components.securitySchemes` in OpenAPI. */
type SecurityDescription =
  | {
      readonly type: 'http'
      readonly scheme: 'bearer'
      readonly bearerFormat?: string
      readonly description: string
    }
  | {
      readonly type: 'apiKey'
      readonly in: 'header' | 'query' | 'cookie'
      readonly name: string
      readonly description: string
    }

/** A credential in the `Authorization` header. */
export const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description }) as const

/** Credentials that are required together, by name. A list of requirements means "or". */
export type SecurityRequirement = Readonly<Record<string, SecurityDescription>>

/** The result of authentication. A rejection is a value, thrown only after the limiter has counted the request. */
export type AuthOutcome<Caller> =
  | {
      readonly ok: true
      readonly caller: Caller
      /** Checks the rest of the credential once the body is parsed. */
      readonly confirm?: (request: FastifyRequest) => ErrorCode | undefined
    }
  | {
      readonly ok: false
      /** True if the request contains no credential of this kind, so that another scheme may apply. */
      readonly absent: boolean
      readonly code: ErrorCode
    }

/** An authentication scheme. */
export interface AuthScheme<Caller> {
  readonly name: string
  /** Alternatives for `security` in OpenAPI; an empty requirement makes authentication optional. */
  readonly security: readonly SecurityRequirement[]
  /** Errors of rejections, for the documentation. */
  readonly errors: readonly ErrorCode[]
  /** Authenticates by URL and headers, before the body is read. */
  authenticate(request: FastifyRequest, deps: SchemeDeps): Promise<AuthOutcome<Caller>>
  /**
   * Authenticates by the parsed body if URL and headers contain no credential, for older clients that send it there.
   */
  authenticateBody?(request: FastifyRequest, deps: SchemeDeps): Promise<AuthOutcome<Caller>>
}

/** Rejects a request without a credential. */
export function absent(code: ErrorCode): AuthOutcome<never> {
  return { ok: false, absent: true, code }
}

/** Rejects a request with an invalid credential. */
export function rejected(code: ErrorCode): AuthOutcome<never> {
  return { ok: false, absent: false, code }
}

/** Accepts a request, with an optional check of the parsed body. */
export function accepted<Caller>(
  caller: Caller,
  confirm?: (request: FastifyRequest) => ErrorCode | undefined,
): AuthOutcome<Caller> {
  return confirm === undefined ? { ok: true, caller } : { ok: true, caller, confirm }
}

/**
 * Accepts a caller that either of two schemes accepts. If both reject, the error is that of the scheme whose credential
 * was present; if both or none were, that of the first.
 */
export function eitherOf<A, B>(first: AuthScheme<A>, second: AuthScheme<B>): AuthScheme<A | B> {
  return {
    name: `${first.name} or ${second.name}`,
    security: [...first.security, ...second.security],
    errors: [...new Set([...first.errors, ...second.errors])],
    async authenticate(request, deps): Promise<AuthOutcome<A | B>> {
      const firstOutcome = await first.authenticate(request, deps)
      if (firstOutcome.ok) return firstOutcome
      const secondOutcome = await second.authenticate(request, deps)
      return secondOutcome.ok || (firstOutcome.absent && !secondOutcome.absent) ? secondOutcome : firstOutcome
    },
  }
}

/** What callers of the authentication schemes say about their credential. */
interface Caller {
  readonly app?: { readonly keyId: string } | undefined
  readonly keyId?: string | undefined
  readonly personalTokenId?: string | undefined
  readonly loginId?: string | undefined
}

/** Returns the stored credential that authenticated a caller; undefined if there is none, as for a foreign token. */
export function credentialOf(caller: unknown): Credential | undefined {
  const { app, keyId = app?.keyId, personalTokenId, loginId } = (caller ?? {}) as Caller
  if (keyId !== undefined) return { table: 'api_keys', id: keyId }
  if (personalTokenId !== undefined) return { table: 'personal_tokens', id: personalTokenId }
  return loginId === undefined ? undefined : { table: 'logins', id: loginId }
}

/** Returns a non-empty query parameter that is present once. The query is not validated yet. */
export function queryText(request: FastifyRequest, name: string): string | undefined {
  return textIn(request.query, name)
}

/** Returns a non-empty path parameter. The path is not validated yet. */
export function paramText(request: FastifyRequest, name: string): string | undefined {
  return textIn(request.params, name)
}

/** Returns a non-empty string field of a JSON body. The body is not validated yet. */
export function bodyText(request: FastifyRequest, name: string): string | undefined {
  return textIn(request.body, name)
}

/** Returns a non-empty header that is present once. */
export function headerText(request: FastifyRequest, name: string): string | undefined {
  return textIn(request.headers, name)
}

function textIn(part: unknown, name: string): string | undefined {
  if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined
  const value = (part as Record<string, unknown>)[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * Returns the token of an `Authorization: Bearer …` header. The strings `null` and `undefined`, which clients without a
 * token send by mistake, count as absent.
 */
export function bearerToken(authorization: string | undefined): string | undefined {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  return token === 'null' || token === 'undefined' ? undefined : token
}
