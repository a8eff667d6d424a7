import type { AnswerStyle } from '@glasses-cloud/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Endpoint, urlsOf } from './endpoint.ts'
import { errorBody } from './error-body.ts'
import { Fault, fault } from './fault.ts'

interface EndpointPath {
  readonly pattern: RegExp
  readonly group: string
  readonly method: string
  readonly style: AnswerStyle
}

/**
 * Answers what no route took: 405 with `Allow` if the path exists for other methods, else 404. Both in the style
 * of the group (the first two steps of the path, `/api/apps`) so that its clients can read them.
 */
export function createNotFoundHandler(endpoints: () => readonly Endpoint[]) {
  let known: readonly EndpointPath[] | undefined
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    known ??= endpoints().flatMap(knownPaths)
    const path = request.url.split('?', 1)[0] ?? ''
    const here = known.filter(({ pattern }) => pattern.test(path))
    const group = groupOf(path)
    const style = (here[0] ?? known.find((candidate) => candidate.group === group))?.style ?? 'bare'
    const refusal = await checkLimit(request, reply)
    if (refusal !== undefined) return sendError(request, reply, refusal, style)
    if (here.length === 0) return sendError(request, reply, fault('NOT_FOUND'), style)
    const allowed = here.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    void reply.header('allow', [...new Set(allowed)].sort().join(', '))
    return sendError(request, reply, fault('METHOD_NOT_ALLOWED'), style)
  }
}

/** Looking for paths is counted like everything else. */
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
  refusal: Fault,
  style: AnswerStyle,
): FastifyReply {
  request.faultCode = refusal.code
  return reply.code(refusal.entry.status).send(errorBody(refusal, style))
}

function knownPaths(endpoint: Endpoint): EndpointPath[] {
  return urlsOf(endpoint).map((url) => ({
    pattern: patternOf(url),
    group: groupOf(url),
    method: endpoint.method,
    style: endpoint.style,
  }))
}

/** `/api/apps/:packageName` as an expression; a trailing `*` takes the rest. */
function patternOf(url: string): RegExp {
  const steps = url.split('/').map((step) => {
    if (step.startsWith(':')) return '[^/]+'
    return step === '*' ? '.*' : step.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${steps.join('/')}/?$`)
}

function groupOf(path: string): string {
  return path.split('/', 3).join('/')
}
