import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fault } from '../../../http/fault.ts'
import type { Clock } from '../../../time/index.ts'
import type { StreamInputStore } from '../stream-input-store.ts'
import { INPUT_LEASE_MS } from '../tracked-provider.ts'
import type { ForwardedRequests } from './forwarded-requests.ts'

const TIMEOUT_MS = 10_000

/** Headers of a response that the viewer receives. */
const HEADERS = [
  ...['content-type', 'content-length', 'cache-control', 'content-security-policy'],
  ...['accept-ranges', 'content-range'],
]

export interface PlaybackForwarderDeps {
  readonly store: StreamInputStore
  /** Id of this process. */
  readonly holder: string
  readonly clock: Clock
  readonly requests: ForwardedRequests
}

/** Forwards requests for a stream to the node that receives it. */
export class PlaybackForwarder {
  readonly #deps: PlaybackForwarderDeps

  constructor(deps: PlaybackForwarderDeps) {
    this.#deps = deps
  }

  /** Whether the node that the viewer reached has counted a request. */
  isCounted(request: FastifyRequest): boolean {
    return this.#deps.requests.isFromNode(request)
  }

  /** @throws Fault `STREAM_NOT_FOUND` if no other node has the stream, or it does not respond */
  async forward(inputId: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { store, holder, clock, requests } = this.#deps
    if (requests.isMarked(request)) throw fault('STREAM_NOT_FOUND')
    const location = await store.locate(inputId, clock.now() - INPUT_LEASE_MS)
    if (!location || location.holder === holder) throw fault('STREAM_NOT_FOUND')
    const { range } = request.headers
    const response = await fetch(`${location.nodeUrl}${request.url}`, {
      method: request.method,
      headers: { ...requests.headers(request.url), ...(range !== undefined && { range }) },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((cause: unknown) => {
      throw fault('STREAM_NOT_FOUND', { cause })
    })
    const { status } = response
    if (!response.ok && status !== 416) {
      await response.body?.cancel()
      throw fault('STREAM_NOT_FOUND')
    }
    for (const name of HEADERS) {
      const value = response.headers.get(name)
      if (value !== null) reply.header(name, value)
    }
    return reply.code(status).send(response.body ? Readable.fromWeb(response.body) : Readable.from([]))
  }
}
