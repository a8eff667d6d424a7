import type { AdminNode, AdminSession } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { EventStreams, eventStreamMedia, eventStreamQuery } from '../../http/event-stream.ts'
import type { Clock } from '../../time/index.ts'
import type { LiveEndpointDeps } from './live-endpoints.ts'
import { common } from './schemas.ts'

/** Open streams of one node. */
const MAX_STREAMS = 50

/** Sessions in an event. */
const MAX_SESSIONS = 100

/** Time for which the streams of a node share a reading. */
const SHARED_MS = 1_000

/** Streams the live sessions and the nodes as server-sent events, until the client leaves or loses its access. */
export const streamLive = (deps: LiveEndpointDeps) => {
  const streams = new EventStreams({ ...deps, maxStreams: MAX_STREAMS })
  const read = shareReadings(deps)
  return endpoint({
    ...common,
    method: 'GET',
    url: '/api/admin/stream',
    summary: 'Stream the live sessions and the nodes as server-sent events',
    audited: ['session.follow'],
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
      const { caller, request } = context
      const act = { actor: caller.user, request, action: 'session.follow', target: '' } as const
      const record = () => deps.audit.read(act)
      return streams.open(
        context,
        (signal) => followLive({ clock: deps.clock, signal, read, record }),
        (user) => user.isAdministrator,
      )
    },
  })
}

/** Reads the live state once for all streams that ask at about the same time. */
function shareReadings({ store, sessionList, nodes, clock }: LiveEndpointDeps): () => Promise<LiveReading> {
  let latest: { readonly at: number; readonly state: Promise<LiveReading> } | undefined
  const readNow = async (): Promise<LiveReading> => {
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

/** Interval between two readings. */
const INTERVAL_MS = 2_000

/** Readings between two signs of life. */
const READINGS_PER_COMMENT = 2

/** What the stream reports, by the name of its event. */
export interface LiveReading {
  readonly sessions: { readonly total: number; readonly sessions: readonly AdminSession[] }
  readonly nodes: readonly AdminNode[]
}

/** What is followed, and for how long. */
export interface FollowLiveOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  read(): Promise<LiveReading>
  /** Records in the audit log that the client reads. */
  record(): Promise<void>
}

/** Yields the live state as server-sent events: all of it first, then what has changed. */
async function* followLive(options: FollowLiveOptions): AsyncGenerator<string> {
  const { clock, signal, read, record } = options
  await record()
  const sent = new Map<string, string>()
  yield ': connected\n\n'
  for (let readings = 1; !signal.aborted; readings += 1) {
    for (const [event, state] of Object.entries(await read())) {
      if (signal.aborted) return
      const data = JSON.stringify(state)
      if (sent.get(event) === data) continue
      sent.set(event, data)
      yield `event: ${event}\ndata: ${data}\n\n`
    }
    await pause(clock, signal)
    if (!signal.aborted && readings % READINGS_PER_COMMENT === 0) yield ': alive\n\n'
  }
}

/** Resolves after the interval, or when the signal aborts. */
async function pause(clock: Clock, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = clock.after(INTERVAL_MS, resolve)
  const aborted = () => resolve()
  signal.addEventListener('abort', aborted, { once: true })
  await promise
  timer.cancel()
  signal.removeEventListener('abort', aborted)
}
