import type { ErrorCode } from '@glasses-cloud/contract'
import type { FastifyRequest } from 'fastify'
import type { AuthDeps } from './deps.ts'

/** An entry of `components.securitySchemes` in OpenAPI. */
export type SecurityDescription =
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
  authenticate(request: FastifyRequest, deps: AuthDeps): Promise<AuthOutcome<Caller>>
  /**
   * Authenticates by the parsed body if URL and headers contain no credential, for older clients that send it there.
   */
  authenticateBody?(request: FastifyRequest, deps: AuthDeps): Promise<AuthOutcome<Caller>>
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
