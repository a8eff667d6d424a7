import { liveSession } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { Feature } from '../../feature.ts'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EventStreams, eventStreamMedia, eventStreamQuery } from '../../http/event-stream.ts'
import {
  followLiveSession,
  ListChanges,
  type LiveSessionDeps,
  readLiveSession,
} from './follow-live-session.ts'

/** The live session of a user for web pages: which glasses are connected, and which apps run. */
export function createLiveSession(deps: LiveSessionDeps): Feature {
  const listChanges = new ListChanges(deps.changes)
  return {
    name: 'live-session',
    endpoints: [getLiveSession(deps), streamLiveSession({ ...deps, listChanges })],
  }
}

/** Returns the live session of the caller; without one, nothing is connected and nothing runs. */
const getLiveSession = ({ sessions }: Pick<LiveSessionDeps, 'sessions'>) =>
  endpoint({
    method: 'GET',
    url: '/api/session',
    summary: 'Get your live session: the connected glasses and the running apps',
    tags: ['account'],
    style: 'coded',
    auth: coreToken,
    schema: { response: { 200: liveSession } },
    errors: [],
    handler: ({ caller: { user } }) => readLiveSession(sessions, user.id),
  })

/** Open streams of one node, and of one user on it. */
const MAX_STREAMS = 2_000
const MAX_STREAMS_PER_USER = 20

/** Streams changes of the caller's live session, apps and gallery, until the client leaves or loses its access. */
const streamLiveSession = (deps: LiveSessionDeps & { readonly listChanges: ListChanges }) => {
  const streams = new EventStreams({
    ...deps,
    maxStreams: MAX_STREAMS,
    maxStreamsPerUser: MAX_STREAMS_PER_USER,
  })
  return endpoint({
    method: 'GET',
    url: '/api/session/events',
    summary: 'Stream your live session as server-sent events',
    tags: ['account'],
    style: 'coded',
    auth: coreToken,
    schema: {
      querystring: eventStreamQuery,
      response: {
        200: Type.String({
          description:
            'Events `session` with a LiveSession as data, the first one immediately, and events `apps` and `gallery` when the apps that the user sees, or the photos and recordings of the user, may have changed',
        }),
      },
    },
    media: eventStreamMedia,
    errors: ['TOO_MANY_STREAMS'],
    handler: async (context) => {
      const { caller, log } = context
      return streams.open(context, (signal) =>
        followLiveSession({ ...deps, userId: caller.user.id, signal, log }),
      )
    },
  })
}
