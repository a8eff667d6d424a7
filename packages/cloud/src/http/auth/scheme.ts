import type { ErrorCode } from '@glasses-cloud/contract'
import type { FastifyRequest } from 'fastify'
import type { AuthDeps } from './deps.ts'

/** One entry of OpenAPI's `components.securitySchemes`. */
export type SecurityDescription =
  | {
      readonly type: 'http'
      readonly scheme: 'bearer'
      readonly bearerFormat?: string
      readonly description: string
    }
  | {
      readonly type: 'apiKey'
      readonly in: 'header' | 'query'
      readonly name: string
      readonly description: string
    }

/** What is needed together to pass: names of `SecurityDescription`s. OpenAPI reads a list of these as "or". */
export type SecurityRequirement = Readonly<Record<string, SecurityDescription>>

/** How authentication ended. A refusal is a value: it is raised later, after the limiter has counted the call. */
export type AuthOutcome<Caller> =
  | {
      readonly ok: true
      readonly caller: Caller
      /** A last look once the body is parsed, where a part of the credential is in it. */
      readonly confirm?: (request: FastifyRequest) => ErrorCode | undefined
    }
  | {
      readonly ok: false
      /** True if the request offered no credential of this kind, so that another scheme may look. */
      readonly absent: boolean
      readonly code: ErrorCode
    }

/** A named way to find out who calls. */
export interface AuthScheme<Caller> {
  readonly name: string
  /** Alternatives as OpenAPI's `security` lists them; an empty requirement means "or nothing at all". */
  readonly security: readonly SecurityRequirement[]
  /** Errors it refuses with, for the documentation. */
  readonly errors: readonly ErrorCode[]
  /** Looks at the request line and headers only; the body has not arrived yet. */
  authenticate(request: FastifyRequest, deps: AuthDeps): Promise<AuthOutcome<Caller>>
  /**
   * Looks at the parsed body of a request that offered nothing outside of it. Where older clients have their
   * credential there, the body is read before they are known.
   */
  authenticateBody?(request: FastifyRequest, deps: AuthDeps): Promise<AuthOutcome<Caller>>
}

/** A refusal: nothing was offered. */
export function absent(code: ErrorCode): AuthOutcome<never> {
  return { ok: false, absent: true, code }
}

/** A refusal: what was offered does not open this endpoint. */
export function rejected(code: ErrorCode): AuthOutcome<never> {
  return { ok: false, absent: false, code }
}

/** A pass, perhaps on a condition. */
export function accepted<Caller>(
  caller: Caller,
  confirm?: (request: FastifyRequest) => ErrorCode | undefined,
): AuthOutcome<Caller> {
  return confirm === undefined ? { ok: true, caller } : { ok: true, caller, confirm }
}
