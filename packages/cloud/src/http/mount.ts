import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { limitArrivalTime } from './arrival.ts'
import type { AuthDeps } from './auth/deps.ts'
import type { AuthOutcome, AuthScheme } from './auth/scheme.ts'
import { type Endpoint, type EndpointContext, type EndpointSchema, urlsOf } from './endpoint.ts'
import { fault } from './fault.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint behind a route; absent on routes that plug-ins add. */
    endpoint?: Endpoint
  }
  interface FastifyRequest {
    /** How authentication ended; null before it ran. */
    auth: AuthOutcome<unknown> | null
    /** Catalogue code of the refusal or failure answered, for the request's log line. */
    faultCode: string | null
  }
}

/** What a request may hold in bytes, and take to arrive in ms, while nobody is known to send it (decision L4). */
const fromNobody = { bodyBytes: 16 * 1024, arrivalMs: 5_000 }

/**
 * Puts endpoints on the server. Authentication runs first but only notes its outcome, so that the limiter (an
 * `onRequest` hook added behind it) counts refused callers too; the refusal is raised before the body is read.
 */
export function mount(server: FastifyInstance, endpoints: readonly Endpoint[], authDeps: AuthDeps): void {
  for (const endpoint of endpoints) {
    const form = endpoint.limits?.form
    if (form === undefined) mountAliases(server, endpoint, authDeps)
    else {
      // A scope for each, so that no other endpoint accepts forms.
      server.register(async (scope) => {
        await scope.register(multipart, { limits: form, throwFileSizeLimit: false })
        mountAliases(scope, endpoint, authDeps)
      })
    }
  }
}

function mountAliases(server: FastifyInstance, endpoint: Endpoint, authDeps: AuthDeps): void {
  for (const url of urlsOf(endpoint)) mountAt(server, endpoint, url, authDeps)
}

function mountAt(server: FastifyInstance, endpoint: Endpoint, url: string, authDeps: AuthDeps): void {
  const { auth } = endpoint
  const { bodyBytes, arrivalMs } = { ...(isOpen(auth) && fromNobody), ...endpoint.limits }
  server.route({
    method: endpoint.method,
    url,
    config: { endpoint },
    schema: { ...endpoint.schema },
    ...(bodyBytes === undefined ? {} : { bodyLimit: bodyBytes }),
    onRequest: async (request) => {
      request.auth = await auth.authenticate(request, authDeps)
    },
    preParsing: async (request, reply) => {
      if (!mayBeInBody(auth, request)) callerOf(request)
      limitArrivalTime(request, reply, arrivalMs)
    },
    preValidation: async (request) => {
      if (mayBeInBody(auth, request)) {
        request.auth = (await auth.authenticateBody?.(request, authDeps)) ?? null
        callerOf(request)
      }
      const refusal = request.auth?.ok ? request.auth.confirm?.(request) : undefined
      if (refusal !== undefined) throw fault(refusal)
    },
    handler: async (request, reply) =>
      endpoint.handler({
        params: request.params,
        query: request.query,
        headers: request.headers,
        body: request.body,
        caller: callerOf(request),
        log: request.log,
        request,
        reply,
        // The route's schemas have been checked by now, so the parts have their types.
      } as EndpointContext<EndpointSchema, unknown>),
  })
}

/** Whether the body may have to be read of somebody who is not known, or not yet. */
function isOpen({ security, authenticateBody }: AuthScheme<unknown>): boolean {
  const needsNothing = security.length === 0 || security.some((needed) => Object.keys(needed).length === 0)
  return needsNothing || authenticateBody !== undefined
}

/** Whether the credential may still be found in the body. */
function mayBeInBody({ authenticateBody }: AuthScheme<unknown>, { auth }: FastifyRequest): boolean {
  return authenticateBody !== undefined && auth !== null && !auth.ok && auth.absent
}

/** Who calls; raises the refusal if nobody was found. */
function callerOf(request: FastifyRequest): unknown {
  if (request.auth?.ok) return request.auth.caller
  throw fault(request.auth?.code ?? 'UNAUTHORIZED')
}
