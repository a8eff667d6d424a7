import type { ErrorStyle } from '@glasses-cloud/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { type Endpoint, urlsOf } from './endpoint.ts'
import { errorBody } from './error-handler.ts'
import { Fault, fault } from './fault.ts'

/** Older developer APIs; what is left of them are aliases of the current one. */
const RETIRED_PATH = /^\/api\/(dev|cli|orgs)(\/|$)/

/** Paths that only programs and pages request, never people. */
const PROGRAM_PATH = /^\/(api|assets|\.well-known)(\/|$)/

interface EndpointPath {
  readonly pattern: RegExp
  readonly group: string
  readonly method: string
  readonly style: ErrorStyle
}

/** Sends a page with status 404. */
export type NotFoundPage = (reply: FastifyReply) => Promise<FastifyReply>

/**
 * Creates the handler of requests without a route: 405 with `Allow` if the path exists for other methods, 410 for paths of
 * older developer APIs, otherwise 404, in the style of the endpoints of its group (the first two segments of the path, such
 * as `/api/apps`). Browsers that open an unknown address outside the interface get `sendPage` (CON-211).
 */
export function createNotFoundHandler(endpoints: () => readonly Endpoint[], sendPage?: NotFoundPage) {
  let known: readonly EndpointPath[] | undefined
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    known ??= endpoints().flatMap(knownPaths)
    const path = request.url.split(/[?#]/, 1)[0] ?? ''
    const matching = known.filter(({ pattern }) => pattern.test(path))
    const group = groupOf(path)
    const inGroup = known.filter((candidate) => candidate.group === group)
    // Of a group with several styles, the one that is prescribed for clients of others.
    const prescribed = inGroup.find((candidate) => candidate.style !== 'coded') ?? inGroup[0]
    const style = (matching[0] ?? prescribed)?.style ?? 'bare'
    const rejection = await checkLimit(request, reply)
    if (rejection !== undefined) return sendError(request, reply, rejection, style)
    if (matching.length === 0) {
      if (sendPage !== undefined && mayBePage(request, path)) {
        addVary(reply, 'accept')
        request.faultCode = 'NOT_FOUND'
        if (prefersPage(request)) return sendPage(reply)
      }
      const isRetired = RETIRED_PATH.test(path)
      return sendError(request, reply, fault(isRetired ? 'RETIRED_PATH' : 'NOT_FOUND'), style)
    }
    const allowed = matching.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    void reply.header('allow', [...new Set(allowed)].sort().join(', '))
    return sendError(request, reply, fault('METHOD_NOT_ALLOWED'), style)
  }
}

/** Whether the address could be a mistyped one of a page: the rest belongs to programs. */
function mayBePage({ method }: FastifyRequest, path: string): boolean {
  return (method === 'GET' || method === 'HEAD') && !PROGRAM_PATH.test(path)
}

/** Counts the request, so that scanning for paths is limited too. */
async function checkLimit(request: FastifyRequest, reply: FastifyReply): Promise<Fault | undefined> {
  try {
    await request.server.limitUnrouted?.(request, reply)
    return undefined
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  rejection: Fault,
  style: ErrorStyle,
): FastifyReply {
  request.faultCode = rejection.code
  return reply.code(rejection.entry.status).send(errorBody(rejection, style))
}

function knownPaths(endpoint: Endpoint): EndpointPath[] {
  return urlsOf(endpoint).map((url) => ({
    pattern: patternOf(url),
    group: groupOf(url),
    method: endpoint.method,
    style: endpoint.style,
  }))
}

/** Converts a path such as `/api/apps/:packageName` to a pattern; a trailing `*` matches the rest. */
function patternOf(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment.startsWith(':')) return '[^/]+'
    return segment === '*' ? '.*' : segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${segments.join('/')}/?$`)
}

function groupOf(path: string): string {
  return path.split('/', 3).join('/')
}

/**
 * Returns whether the client prefers a web page to JSON, as browsers do that open an address. Others accept any type, or
 * name none, and get JSON.
 */
function prefersPage({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return new Negotiator({ headers }).mediaType(['application/json', 'text/html']) === 'text/html'
}

/** Adds a header to those on which the response depends. */
function addVary(reply: FastifyReply, name: string): void {
  const existing = reply.getHeader('vary')
  void reply.header('vary', existing === undefined ? name : `${String(existing)}, ${name}`)
}
