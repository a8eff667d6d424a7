import { Type } from 'typebox'
import { coreOrPersonalToken, findCurrentUser } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EventStreams, eventStreamMedia, eventStreamQuery } from '../../http/event-stream.ts'
import { appParams } from '../../http/schemas.ts'
import { requireOwner } from '../developer/index.ts'
import type { AppLogEndpointDeps } from './deps.ts'
import { followLog } from './follow-log.ts'

/** Open streams of one node, and of one user on it. */
const MAX_STREAMS = 500
const MAX_STREAMS_PER_USER = 20

/** Streams the log of an app as server-sent events, until the client leaves or loses its access. */
export const streamLog = (deps: AppLogEndpointDeps) => {
  const streams = new EventStreams({
    ...deps,
    maxStreams: MAX_STREAMS,
    maxStreamsPerUser: MAX_STREAMS_PER_USER,
  })
  return endpoint({
    method: 'GET',
    url: '/api/console/apps/:packageName/logs/stream',
    summary: 'Stream the log of an app as server-sent events',
    tags: ['developer'],
    style: 'coded',
    auth: coreOrPersonalToken('apps:read'),
    schema: {
      params: appParams,
      querystring: eventStreamQuery,
      headers: Type.Object({
        'last-event-id': Type.Optional(
          Type.String({ pattern: '^[0-9a-f-]{1,40}$', description: 'Continue after this entry' }),
        ),
      }),
      response: { 200: Type.String({ description: 'Events with an AppLogEntry as data and its id' }) },
    },
    media: eventStreamMedia,
    errors: ['APP_NOT_FOUND', 'TOO_MANY_STREAMS'],
    invalid: ({ part }) => (part === 'params' ? 'APP_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async (context) => {
      const { caller, params, headers } = context
      const app = await requireOwner(deps, caller.user, params.packageName)
      const mayFollow = async () => {
        const user = await findCurrentUser(deps, caller)
        if (user === undefined) return false
        const same = await deps.apps.findByPackage(app.packageName)
        return same?.id === app.id && (await deps.catalogue.ownershipOf(user))(same)
      }
      return streams.open(context, (signal) =>
        followLog({ ...deps, appId: app.id, after: headers['last-event-id'], signal, mayFollow }),
      )
    },
  })
}
