import { Type } from 'typebox'
import { administrator, findCurrentUser } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EventStreams, eventStreamMedia, eventStreamQuery } from '../../http/event-stream.ts'
import type { AdministrationEndpointDeps } from './deps.ts'
import { followLive, type LiveState } from './follow-live.ts'

/** Open streams of one node. */
const MAX_STREAMS = 50

/** Sessions in an event. */
const MAX_SESSIONS = 100

/** Time for which the streams of a node share a reading. */
const SHARED_MS = 1_000

/** Streams the live sessions and the nodes as server-sent events, until the client leaves or loses its access. */
export const streamLive = (deps: AdministrationEndpointDeps) => {
  const streams = new EventStreams({ ...deps, maxStreams: MAX_STREAMS })
  const read = shareReadings(deps)
  return endpoint({
    method: 'GET',
    url: '/api/admin/stream',
    summary: 'Stream the live sessions and the nodes as server-sent events',
    tags: ['administration'],
    style: 'coded',
    auth: administrator,
    schema: {
      querystring: eventStreamQuery,
      response: {
        200: Type.String({
          description:
            'Event `sessions` with { total, sessions: AdminSession[] }, at most 100, and event `nodes` with AdminNode[]',
        }),
      },
    },
    media: eventStreamMedia,
    errors: ['TOO_MANY_STREAMS'],
    handler: async (context) => {
      const mayFollow = async () => (await findCurrentUser(deps, context.caller))?.isAdministrator === true
      return streams.open(context, (signal) => followLive({ clock: deps.clock, signal, read, mayFollow }))
    },
  })
}

/** Reads the live state once for all streams that ask at about the same time. */
function shareReadings({
  store,
  sessionList,
  nodes,
  clock,
}: AdministrationEndpointDeps): () => Promise<LiveState> {
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
