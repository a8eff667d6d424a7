import { Type } from 'typebox'
import { coreToken, findCurrentUser } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EventStreams, eventStreamMedia, eventStreamQuery } from '../../http/event-stream.ts'
import type { AppChanges } from './app-changes.ts'
import type { LiveSessionDeps } from './deps.ts'
import { followLiveSession } from './follow-live-session.ts'

/** Open streams of one node, and of one user on it. */
const MAX_STREAMS = 2_000
const MAX_STREAMS_PER_USER = 20

/** Streams changes of the caller's live session and apps, until the client leaves or loses its access. */
export const streamLiveSession = (deps: LiveSessionDeps & { readonly appChanges: AppChanges }) => {
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
            'Events `session` with a LiveSession as data, the first one immediately, and events `apps` when the apps that the user sees may have changed',
        }),
      },
    },
    media: eventStreamMedia,
    errors: ['TOO_MANY_STREAMS'],
    handler: async (context) => {
      const { caller, log } = context
      const mayFollow = async () => (await findCurrentUser(deps, caller)) !== undefined
      return streams.open(context, (signal) =>
        followLiveSession({ ...deps, userId: caller.user.id, signal, mayFollow, log }),
      )
    },
  })
}
