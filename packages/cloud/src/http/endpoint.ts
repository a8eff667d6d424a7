import type { AnswerStyle, ErrorCode } from '@glasses-cloud/contract'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Config } from '../config/index.ts'
import type { AuthScheme } from './auth/scheme.ts'

/** The schemas an endpoint validates with and is documented by. Answers hold only what `response` declares. */
export interface EndpointSchema {
  readonly params?: TObject
  readonly querystring?: TObject
  /** Header names in lower case. */
  readonly headers?: TObject
  readonly body?: TSchema
  readonly response: Readonly<Record<number, TSchema>>
}

/** Bounds of a multipart form. What exceeds them is rejected or cut off. */
export interface FormLimits {
  readonly files: number
  /** Bytes of one file. */
  readonly fileSize: number
  readonly fields: number
  /** Bytes of the name of a field. */
  readonly fieldNameSize: number
  /** Bytes of a field. */
  readonly fieldSize: number
  /** Headers of one part. */
  readonly headerPairs: number
}

/** A part of a request that breaks its schema. */
export interface InvalidPart {
  readonly part: 'params' | 'querystring' | 'headers' | 'body'
  /** The outermost field that is wrong; empty if the part as a whole is. */
  readonly field: string
  /** What is wrong, as a sentence that names the field. */
  readonly message: string
}

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined

/** What a handler is given. */
export interface EndpointContext<Schema extends EndpointSchema, Caller> {
  readonly params: StaticOf<Schema['params']>
  readonly query: StaticOf<Schema['querystring']>
  readonly headers: StaticOf<Schema['headers']>
  readonly body: StaticOf<Schema['body']>
  /** Who calls, as the endpoint's authentication scheme found out. */
  readonly caller: Caller
  /** Log that carries the request id. */
  readonly log: FastifyBaseLogger
  readonly request: FastifyRequest
  /** For status, headers and streams: `return reply.code(201).send(…)`. */
  readonly reply: FastifyReply
}

/** One endpoint: path, authentication, limits, schemas and handler together. */
export interface Endpoint<Schema extends EndpointSchema = EndpointSchema, Caller = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path with `:name` parameters; a list gives aliases, the first of which is documented. */
  readonly url: string | readonly string[]
  readonly summary: string
  readonly tags: readonly string[]
  /** How this endpoint's group says no. */
  readonly style: AnswerStyle
  readonly auth: AuthScheme<Caller>
  readonly schema: Schema
  /** Errors the handler raises, for the documentation; those of the kernel and the scheme are added to them. */
  readonly errors: readonly ErrorCode[]
  /** The error a request that breaks a schema gets; `BAD_REQUEST` with a sentence if absent. */
  readonly invalid?: ErrorCode | ((part: InvalidPart) => ErrorCode)
  /** What is not JSON, for the documentation: the schemas speak of content alone. */
  readonly media?: {
    /** Content types of the successful answer. */
    readonly answers?: readonly string[]
    /** The fields of a `multipart/form-data` body that the handler reads itself. */
    readonly form?: TObject
  }
  /** Keys of the body may be anything, `__proto__` included: the handler never assigns by them. */
  readonly verbatimKeys?: true
  /** What an unexpected exception becomes; `INTERNAL` if absent. */
  readonly failure?: ErrorCode
  readonly limits?: {
    /** Largest body in bytes, where it differs from the usual: 1 MiB, or 16 KiB of nobody known (decision L4). */
    readonly bodyBytes?: number
    /**
     * Longest time in ms the body may take to arrive, where it differs from the usual: 30 s, or 5 s of nobody known;
     * `LONGEST_MS` at most.
     */
    readonly arrivalMs?: number
    /**
     * Requests a minute, counted apart from those to other endpoints; absent, they are counted together (decision L1). Probes
     * are not limited.
     */
    readonly perMinute?: 'unlimited' | ((config: Config) => number)
    /** Bounds of a `multipart/form-data` body, which the endpoint accepts then and the handler reads by itself. */
    readonly form?: FormLimits
  }
  /** Answers with a value of the 200 schema, or with the reply it has sent. Throws `fault(…)` to say no. */
  handler(context: EndpointContext<Schema, Caller>): Promise<StaticOf<Schema['response'][200]> | FastifyReply>
}

/** Declares an endpoint. The parts are as typed as their schemas; mounting needs only the common shape. */
export function endpoint<const Schema extends EndpointSchema, Caller>(
  definition: Endpoint<Schema, Caller>,
): Endpoint {
  return definition
}

/** All paths of an endpoint, the documented one first. */
export function urlsOf(endpoint: Endpoint): readonly string[] {
  return typeof endpoint.url === 'string' ? [endpoint.url] : endpoint.url
}
