import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AuthOutcome, type AuthScheme, credentialOf, type SchemeDeps } from './auth/scheme.ts'
import { ANY_ORIGIN } from './cors.ts'
import { type Endpoint, type EndpointContext, type EndpointSchema, urlsOf } from './endpoint.ts'
import { fault } from './fault.ts'
import { createNotFoundHandler, type NotFoundPage } from './not-found.ts'

/** Default time within which a request must arrive, including its body (HTTP-17). */
const DEFAULT_ARRIVAL_MS = 30_000

/** Maximum of what an endpoint may allow; Node aborts any request that takes longer. */
export const MAX_ARRIVAL_MS = 180_000

/** Aborts the request with 408, as Node does, if its body is incomplete after `ms` and no response was sent. */
function limitArrivalTime(
  { raw, server, socket }: FastifyRequest,
  reply: FastifyReply,
  ms = DEFAULT_ARRIVAL_MS,
): void {
  // A closed connection emits no `close` again.
  if (raw.complete || raw.destroyed) return
  const late = setTimeout(() => {
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    if (!raw.complete) server.server.emit('clientError', error, socket)
  }, ms)
  reply.raw.once('close', () => clearTimeout(late))
}

/**
 * Reads what has not arrived of a request that was answered early, within {@link MAX_ARRIVAL_MS}, so that the next request
 * of its connection can be read. Node does so only if nobody has read a part of the body.
 */
export function discardRest({ raw }: FastifyRequest): void {
  if (raw.complete || raw.destroyed) return
  raw.unpipe()
  raw.resume()
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint of a route; undefined for routes that plug-ins add. */
    endpoint?: Endpoint
  }
  interface FastifyRequest {
    /** Result of authentication; null before it ran. */
    auth: AuthOutcome<unknown> | null
    /** Code of the error response, for the log line of the request. */
    faultCode: string | null
  }
}

/** Limits of bodies that are read before the caller is authenticated (decision L4). */
const UNAUTHENTICATED_LIMITS = { bodyBytes: 16 * 1024, arrivalMs: 5_000 }

/**
 * Mounts endpoints on the server. Authentication runs first but only records its outcome, so that the limiter (a later
 * `onRequest` hook) counts rejected requests too; a rejection is thrown before the body is read.
 */
export function mount(
  server: FastifyInstance,
  endpoints: readonly Endpoint[],
  authDeps: SchemeDeps,
  sendNotFoundPage?: NotFoundPage,
): void {
  const notFound = createNotFoundHandler(() => server.endpoints, sendNotFoundPage)
  server.setNotFoundHandler(notFound)
  // Requests without a route are answered without waiting for the body, but after the hooks of plug-ins.
  server.addHook('onRequest', async (request, reply) => {
    if (request.is404) return notFound(request, reply)
  })
  for (const endpoint of endpoints) {
    const form = endpoint.limits?.form
    if (form === undefined) mountAliases(server, endpoint, authDeps)
    else {
      // Each has its own scope, so that no other endpoint accepts forms.
      server.register(async (scope) => {
        await scope.register(multipart, { limits: form, throwFileSizeLimit: false })
        mountAliases(scope, endpoint, authDeps)
      })
    }
  }
}

function mountAliases(server: FastifyInstance, endpoint: Endpoint, authDeps: SchemeDeps): void {
  for (const url of urlsOf(endpoint)) mountAt(server, endpoint, url, authDeps)
}

function mountAt(server: FastifyInstance, endpoint: Endpoint, url: string, authDeps: SchemeDeps): void {
  const { auth } = endpoint
  const { bodyBytes, arrivalMs } = {
    ...(readsUnauthenticatedBody(auth) && UNAUTHENTICATED_LIMITS),
    ...endpoint.limits,
  }
  server.route({
    method: endpoint.method,
    url,
    config: { endpoint, ...(endpoint.anyOrigin === true && { cors: ANY_ORIGIN }) },
    schema: { ...endpoint.schema },
    ...(bodyBytes === undefined ? {} : { bodyLimit: bodyBytes }),
    onRequest: async (request) => {
      request.auth = await auth.authenticate(request, authDeps)
      recordUse(request, authDeps)
    },
    preParsing: async (request, reply) => {
      if (!credentialMayBeInBody(auth, request)) callerOf(request)
      limitArrivalTime(request, reply, arrivalMs)
    },
    preValidation: async (request) => {
      if (credentialMayBeInBody(auth, request)) {
        request.auth = (await auth.authenticateBody?.(request, authDeps)) ?? null
        recordUse(request, authDeps)
        callerOf(request)
      }
      const code = request.auth?.ok ? request.auth.confirm?.(request) : undefined
      if (code !== undefined) throw fault(code)
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
        // The parts have been validated, so they have the types of their schemas.
      } as EndpointContext<EndpointSchema, unknown>),
  })
}

/** Whether the body may be read before the caller is authenticated. */
function readsUnauthenticatedBody({ security, authenticateBody }: AuthScheme<unknown>): boolean {
  const isOptional =
    security.length === 0 || security.some((requirement) => Object.keys(requirement).length === 0)
  return isOptional || authenticateBody !== undefined
}

/** Whether the body may contain the credential. */
function credentialMayBeInBody({ authenticateBody }: AuthScheme<unknown>, { auth }: FastifyRequest): boolean {
  return authenticateBody !== undefined && auth !== null && !auth.ok && auth.absent
}

/** Records the use of the credential that authenticated the caller. */
function recordUse({ auth, ip }: FastifyRequest, { credentialUses }: SchemeDeps): void {
  const credential = auth?.ok ? credentialOf(auth.caller) : undefined
  if (credential !== undefined) credentialUses.record(credential, ip)
}

/** Returns the authenticated caller. @throws Fault if authentication failed */
function callerOf(request: FastifyRequest): unknown {
  if (request.auth?.ok) return request.auth.caller
  throw fault(request.auth?.code ?? 'UNAUTHORIZED')
}
