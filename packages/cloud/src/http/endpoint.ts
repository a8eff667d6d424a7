import { type AuditAction, type ErrorCode, type ErrorStyle, leavesOutFields } from '@glasses-cloud/contract'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Config } from '../config/index.ts'
import type { AuthScheme } from './auth/scheme.ts'
import { ignoredFieldsOf } from './ignored-fields.ts'
import type { NamedUser, NamesUser } from './request-limits.ts'

/** Schemas that validate the requests of an endpoint and document it. Responses contain only fields that `response` declares. */
export interface EndpointSchema {
  readonly params?: TObject
  readonly querystring?: TObject
  /** Header names in lower case. */
  readonly headers?: TObject
  readonly body?: TSchema
  readonly response: Readonly<Record<number, TSchema>>
}

/** Limits of a multipart form. Files and fields beyond them are rejected or truncated. */
interface FormLimits {
  readonly files: number
  /** Maximum bytes of a file. */
  readonly fileSize: number
  readonly fields: number
  /** Maximum bytes of a field name. */
  readonly fieldNameSize: number
  /** Maximum bytes of a field. */
  readonly fieldSize: number
  /** Maximum headers of a part. */
  readonly headerPairs: number
}

/** A part of a request that does not match its schema. */
export interface InvalidPart {
  readonly part: 'params' | 'querystring' | 'headers' | 'body'
  /** The outermost invalid field; empty if the part as a whole is invalid. */
  readonly field: string
  /** A sentence that names the field and the problem. */
  readonly message: string
}

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined

/** The arguments of a handler. */
export interface EndpointContext<Schema extends EndpointSchema, Caller> {
  readonly params: StaticOf<Schema['params']>
  readonly query: StaticOf<Schema['querystring']>
  readonly headers: StaticOf<Schema['headers']>
  readonly body: StaticOf<Schema['body']>
  /** The authenticated caller. */
  readonly caller: Caller
  /** Logger that adds the request id to each line. */
  readonly log: FastifyBaseLogger
  readonly request: FastifyRequest
  /** Sets status and headers, and sends streams: `return reply.code(201).send(…)`. */
  readonly reply: FastifyReply
}

/** An endpoint: path, authentication, limits, schemas and handler. */
export interface Endpoint<Schema extends EndpointSchema = EndpointSchema, Caller = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path with `:name` parameters; a list gives aliases, the first of which is documented. */
  readonly url: string | readonly string[]
  readonly summary: string
  readonly tags: readonly string[]
  /** Style of error responses: `coded`, unless the contract or a client of the ecosystem prescribes another (HTTP-8). */
  readonly style: ErrorStyle
  readonly auth: AuthScheme<Caller>
  /**
   * Actions of the audit log, one of which each successful request leaves; required of endpoints for administrators, empty
   * if it neither changes anything nor shows what users sent or do (ADM-9).
   */
  readonly audited?: readonly AuditAction[]
  /** Where a request of an app names a user; required of endpoints that accept API keys of apps. */
  readonly namedUser?: NamedUser | undefined
  readonly schema: Schema
  /** Errors that the handler throws, for the documentation. Errors of the kernel and of `auth` are added. */
  readonly errors: readonly ErrorCode[]
  /** Error for a request that does not match a schema. Default: `BAD_REQUEST` with a sentence. */
  readonly invalid?: ErrorCode | ((part: InvalidPart) => ErrorCode)
  /** Content types other than JSON, for the documentation. */
  readonly media?: {
    /** Content types of a 200 response. */
    readonly contentTypes?: readonly string[]
    /** Fields of a `multipart/form-data` body, which the handler parses. */
    readonly form?: TObject
  }
  /** Accepts any key in the body, `__proto__` included. Safe only if the handler never assigns properties by these keys. */
  readonly verbatimKeys?: true
  /** Web pages of every origin may read the response, which must not depend on credentials (HTTP-53). */
  readonly anyOrigin?: true
  /** Error for an unexpected exception. Default: `INTERNAL`. */
  readonly failure?: ErrorCode
  readonly limits?: {
    /** Maximum body in bytes. Default: 1 MiB, or 16 KiB from unauthenticated callers (decision L4). */
    readonly bodyBytes?: number
    /**
     * Time in ms within which the body must arrive, at most `MAX_ARRIVAL_MS`. Default: 30 s, or 5 s from
     * unauthenticated callers.
     */
    readonly arrivalMs?: number
    /**
     * Requests a minute to this endpoint, counted separately. Default: counted together with the other endpoints
     * (decision L1).
     */
    readonly perMinute?: 'unlimited' | ((config: Pick<Config, 'limits'>) => number)
    /** Whether phones send it by themselves; it is counted together with the other ones of the user (LIM-46). */
    readonly isReport?: true
    /** Whether another node has counted a request already, so that this one does not. */
    isCounted?(request: FastifyRequest): boolean
    /** Limits of a `multipart/form-data` body. The endpoint accepts forms only if they are set. */
    readonly form?: FormLimits
  }
  /**
   * Returns a value of the 200 schema, or the reply that it sent.
   * @throws Fault created by `fault(…)`, to respond with an error of the catalogue
   */
  handler(context: EndpointContext<Schema, Caller>): Promise<StaticOf<Schema['response'][200]> | FastifyReply>
}

/** Defines an endpoint. Inside the handler, the parts of the request have the types of their schemas. */
export function endpoint<const Schema extends EndpointSchema, Caller>(
  definition: Endpoint<Schema, Caller> & NamesUser<Schema, Caller>,
): Endpoint {
  return leavesOutFields(definition.schema.body) ? namingIgnoredFields(definition) : definition
}

/** Adds the fields of the body that could not be read to the response, which is an object (PHN-66). */
function namingIgnoredFields(definition: Endpoint): Endpoint {
  const { response } = definition.schema
  const { properties, required: _, type: __, ...options } = response[200] as TObject
  const ignored = Type.Optional(
    Type.Array(Type.String(), { description: 'Fields of the body that could not be read and were left out' }),
  )
  return {
    ...definition,
    schema: {
      ...definition.schema,
      response: { ...response, 200: Type.Object({ ...properties, ignored }, options) },
    },
    async handler(context) {
      const result = await definition.handler(context)
      const paths = ignoredFieldsOf(context.body)
      return paths.length === 0 ? result : { ...Object(result), ignored: paths }
    },
  }
}

/** Returns all paths of an endpoint, the documented one first. */
export function urlsOf(endpoint: Endpoint): readonly string[] {
  return typeof endpoint.url === 'string' ? [endpoint.url] : endpoint.url
}
