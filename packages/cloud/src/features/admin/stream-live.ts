import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { administrator, type UserCaller } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { AdminEndpointDeps } from './deps.ts'
import { followLive, type LiveState } from './follow-live.ts'
import { tags } from './schemas.ts'

/** Longest stream. */
const MAX_SECONDS = 24 * 60 * 60

/** Open streams of one node. */
const MAX_STREAMS = 50

/** Sessions in an event. */
const MAX_SESSIONS = 100

/** Time for which the streams of a node share a reading. */
const SHARED_MS = 1_000

/** Streams the live sessions and the nodes as server-sent events, until the client leaves or loses its access. */
export const streamLive = (deps: AdminEndpointDeps) => {
  let open = 0
  const read = shareReadings(deps)
  return endpoint({
    method: 'GET',
    url: '/api/admin/stream',
    summary: 'Stream the live sessions and the nodes as server-sent events',
    tags,
    style: 'envelope',
    auth: administrator,
    schema: {
      querystring: Type.Object({
        seconds: Type.Optional(
          Type.Integer({ minimum: 0, maximum: MAX_SECONDS, description: 'End the stream after this time' }),
        ),
      }),
      response: {
        200: Type.String({
          description:
            'Event `sessions` with { total, sessions: AdminSession[] }, at most 100, and event `nodes` with AdminNode[]',
        }),
      },
    },
    media: { contentTypes: ['text/event-stream'] },
    errors: ['TOO_MANY_STREAMS'],
    handler: async ({ caller, query, request, reply }) => {
      if (open >= MAX_STREAMS) throw fault('TOO_MANY_STREAMS')
      open += 1
      const left = new AbortController()
      request.raw.once('close', () => left.abort())
      const timer = deps.clock.after((query.seconds ?? MAX_SECONDS) * 1000, () => left.abort())
      const signal = AbortSignal.any([left.signal, deps.signal])
      const mayFollow = () => isStillAdministrator(deps, caller)
      const events = followLive({ clock: deps.clock, signal, read, mayFollow })
      const stream = Readable.from(events, { objectMode: false })
      stream.once('close', () => {
        open -= 1
        timer.cancel()
        left.abort()
      })
      return reply.headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }).send(stream)
    },
  })
}

/** Reads the live state once for all streams that ask at about the same time. */
function shareReadings({ store, sessionList, nodes, clock }: AdminEndpointDeps): () => Promise<LiveState> {
  let latest: { readonly at: number; readonly state: Promise<LiveState> } | undefined
  const readNow = async (): Promise<LiveState> => {
    const [total, sessions] = await Promise.all([
      store.countSessions(),
      sessionList.list({ limit: MAX_SESSIONS }),
    ])
    return { sessions: { total, sessions }, nodes: nodes.list() }
  }
  return () => {
    const at = clock.monotonicNow()
    if (latest === undefined || at - latest.at >= SHARED_MS) latest = { at, state: readNow() }
    return latest.state
  }
}

async function isStillAdministrator(
  { users, logins, now }: AdminEndpointDeps,
  { user, loginId }: UserCaller,
): Promise<boolean> {
  const current = await users.findById(user.id)
  if (current === undefined || !current.isAdministrator || current.suspendedAt !== undefined) return false
  if (current.tokensValidFrom > user.tokensValidFrom) return false
  return loginId === undefined || (await logins.findLive(loginId, now())) !== undefined
}
