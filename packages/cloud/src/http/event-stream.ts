import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { Access, AccessWatch } from '../identity/index.ts'
import type { Clock } from '../time/index.ts'
import type { UserCaller } from './auth/index.ts'
import type { EndpointContext } from './endpoint.ts'
import { fault } from './fault.ts'
import { addressKey } from './request-origin.ts'

/** Longest stream. */
const MAX_SECONDS = 24 * 60 * 60

/** Time in which a stream whose access has ended can end regularly; then its connection is closed. */
const END_MS = 250

/** The share of the streams that one address may have, or one /64 network, so that others are not locked out. */
const NETWORK_SHARE = 0.5

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
  /** Ends the streams of callers who lose their access. */
  readonly access: AccessWatch
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
  /** Open streams by user and by network. */
  readonly #open = new Map<string, number>()
  #total = 0

  constructor(options: EventStreamsOptions) {
    this.#options = options
  }

  /**
   * Responds with a stream, which ends with its events.
   * @param follow yields server-sent events until the signal aborts: when the client has left or lost its access, the
   *   requested time has passed, or the cloud shuts down
   * @param isAllowed what the user must be or have to follow, beyond a valid credential
   * @throws Fault `TOO_MANY_STREAMS`
   */
  open(
    { caller, query, request, reply }: StreamContext,
    follow: (signal: AbortSignal) => AsyncIterable<string>,
    isAllowed?: Access['isAllowed'],
  ): StreamContext['reply'] {
    const { access, clock, signal, maxStreams, maxStreamsPerUser = maxStreams } = this.#options
    const { user, loginId, personalTokenId, tokenExpiresAt: expiresAt = Number.POSITIVE_INFINITY } = caller
    const network = addressKey(request.ip)
    const open = (of: string) => this.#open.get(of) ?? 0
    if (
      this.#total >= maxStreams ||
      open(user.id) >= maxStreamsPerUser ||
      open(network) >= maxStreams * NETWORK_SHARE
    )
      throw fault('TOO_MANY_STREAMS')
    this.#count(1, user.id, network)
    const left = new AbortController()
    request.raw.once('close', () => left.abort())
    const lifetimeMs = Math.min((query.seconds ?? MAX_SECONDS) * 1000, expiresAt - clock.now())
    const timer = clock.after(lifetimeMs, () => left.abort())
    const stream = Readable.from(follow(AbortSignal.any([left.signal, signal])), { objectMode: false })
    const granted = { user, loginId, personalTokenId, expiresAt, ...(isAllowed && { isAllowed }) }
    const unwatch = access.watch(granted, () => {
      left.abort()
      // A client that does not read would keep it open.
      clock.after(END_MS, () => reply.raw.writableFinished || reply.raw.destroy())
    })
    stream.once('close', () => {
      this.#count(-1, user.id, network)
      timer.cancel()
      unwatch()
      left.abort()
    })
    return reply.headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }).send(stream)
  }

  #count(change: 1 | -1, ...owners: readonly string[]): void {
    this.#total += change
    for (const owner of owners) {
      const streams = (this.#open.get(owner) ?? 0) + change
      if (streams === 0) this.#open.delete(owner)
      else this.#open.set(owner, streams)
    }
  }
}
