import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { Clock } from '../time/index.ts'
import type { UserCaller } from './auth/index.ts'
import type { EndpointContext } from './endpoint.ts'
import { fault } from './fault.ts'

/** Longest stream. */
const MAX_SECONDS = 24 * 60 * 60

/** Query of an endpoint that streams server-sent events. */
export const eventStreamQuery = Type.Object({
  seconds: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MAX_SECONDS, description: 'End the stream after this time' }),
  ),
})

/** Content type of server-sent events, for `media` of an endpoint. */
export const eventStreamMedia = { contentTypes: ['text/event-stream'] } as const

export interface EventStreamsOptions {
  readonly clock: Clock
  /** Ends all streams when the cloud shuts down. */
  readonly signal: AbortSignal
  /** Open streams at a time. */
  readonly maxStreams: number
  /** Open streams of one user at a time. Default: as many as in all. */
  readonly maxStreamsPerUser?: number
}

/** What a stream needs of the arguments of a handler. */
type StreamContext = Pick<
  EndpointContext<{ querystring: typeof eventStreamQuery; response: Record<never, never> }, UserCaller>,
  'caller' | 'query' | 'request' | 'reply'
>

/** The open streams of server-sent events of an endpoint, on this node. */
export class EventStreams {
  readonly #options: EventStreamsOptions
  /** Open streams by user. */
  readonly #open = new Map<string, number>()
  #total = 0

  constructor(options: EventStreamsOptions) {
    this.#options = options
  }

  /**
   * Responds with a stream, which ends with its events.
   * @param follow yields server-sent events until the signal aborts: when the client has left, the requested time has
   *   passed, or the cloud shuts down
   * @throws Fault `TOO_MANY_STREAMS`
   */
  open(
    { caller: { user }, query, request, reply }: StreamContext,
    follow: (signal: AbortSignal) => AsyncIterable<string>,
  ): StreamContext['reply'] {
    const { clock, signal, maxStreams, maxStreamsPerUser = maxStreams } = this.#options
    if (this.#total >= maxStreams || (this.#open.get(user.id) ?? 0) >= maxStreamsPerUser)
      throw fault('TOO_MANY_STREAMS')
    this.#count(user.id, 1)
    const left = new AbortController()
    request.raw.once('close', () => left.abort())
    const timer = clock.after((query.seconds ?? MAX_SECONDS) * 1000, () => left.abort())
    const stream = Readable.from(follow(AbortSignal.any([left.signal, signal])), { objectMode: false })
    stream.once('close', () => {
      this.#count(user.id, -1)
      timer.cancel()
      left.abort()
    })
    return reply.headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }).send(stream)
  }

  #count(userId: string, change: 1 | -1): void {
    this.#total += change
    const streams = (this.#open.get(userId) ?? 0) + change
    if (streams === 0) this.#open.delete(userId)
    else this.#open.set(userId, streams)
  }
}
