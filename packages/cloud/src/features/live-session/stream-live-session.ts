import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { AppChanges } from './app-changes.ts'
import type { LiveSessionDeps } from './deps.ts'
import { followLiveSession } from './follow-live-session.ts'

/** Longest stream. */
const MAX_SECONDS = 24 * 60 * 60

/** Open streams of one node, and of one user on it. */
const MAX_STREAMS = 2_000
const MAX_STREAMS_PER_USER = 20

/** Streams changes of the caller's live session and apps, until the client leaves or loses its access. */
export const streamLiveSession = (deps: LiveSessionDeps & { readonly appChanges: AppChanges }) => {
  /** Open streams by user. */
  const open = new Map<string, number>()
  let total = 0
  const count = (userId: string, change: 1 | -1) => {
    total += change
    const streams = (open.get(userId) ?? 0) + change
    if (streams === 0) open.delete(userId)
    else open.set(userId, streams)
  }
  return endpoint({
    method: 'GET',
    url: '/api/session/events',
    summary: 'Stream your live session as server-sent events',
    tags: ['account'],
    style: 'bare',
    auth: coreToken,
    schema: {
      querystring: Type.Object({
        seconds: Type.Optional(
          Type.Integer({ minimum: 0, maximum: MAX_SECONDS, description: 'End the stream after this time' }),
        ),
      }),
      response: {
        200: Type.String({
          description:
            'Events `session` with a LiveSession as data, the first one immediately, and events `apps` when the apps that the user sees may have changed',
        }),
      },
    },
    media: { contentTypes: ['text/event-stream'] },
    errors: ['TOO_MANY_STREAMS'],
    handler: async ({ caller: { user, loginId }, query, request, reply, log }) => {
      if (total >= MAX_STREAMS || (open.get(user.id) ?? 0) >= MAX_STREAMS_PER_USER)
        throw fault('TOO_MANY_STREAMS')
      count(user.id, 1)
      const left = new AbortController()
      request.raw.once('close', () => left.abort())
      const timer = deps.clock.after((query.seconds ?? MAX_SECONDS) * 1000, () => left.abort())
      const signal = AbortSignal.any([left.signal, deps.signal])
      const mayFollow = async () => {
        const current = await deps.users.findById(user.id)
        if (current === undefined || current.suspendedAt !== undefined) return false
        if (current.tokensValidFrom > user.tokensValidFrom) return false
        return loginId === undefined || (await deps.logins.findLive(loginId, deps.clock.now())) !== undefined
      }
      const events = followLiveSession({ ...deps, userId: user.id, signal, mayFollow, log })
      const stream = Readable.from(events, { objectMode: false })
      stream.once('close', () => {
        count(user.id, -1)
        timer.cancel()
        left.abort()
      })
      return reply
        .headers({
          'content-type': 'text/event-stream',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
        })
        .send(stream)
    },
  })
}
