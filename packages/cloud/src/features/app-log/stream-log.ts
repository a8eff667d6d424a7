import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { appParams, requireOwner, tags } from '../console/index.ts'
import type { AppLogEndpointDeps } from './deps.ts'
import { followLog } from './follow-log.ts'

/** Longest stream. */
const MAX_SECONDS = 24 * 60 * 60

/** Open streams of one node. */
const MAX_STREAMS = 500

/** Streams the log of an app as server-sent events, until the client leaves or loses its access. */
export const streamLog = (deps: AppLogEndpointDeps) => {
  let open = 0
  return endpoint({
    method: 'GET',
    url: '/api/console/apps/:packageName/logs/stream',
    summary: 'Stream the log of an app as server-sent events',
    tags,
    style: 'envelope',
    auth: coreOrPersonalToken('apps:read'),
    schema: {
      params: appParams,
      querystring: Type.Object({
        seconds: Type.Optional(
          Type.Integer({ minimum: 0, maximum: MAX_SECONDS, description: 'End the stream after this time' }),
        ),
      }),
      headers: Type.Object({
        'last-event-id': Type.Optional(
          Type.String({ pattern: '^[0-9a-f-]{1,40}$', description: 'Continue after this entry' }),
        ),
      }),
      response: { 200: Type.String({ description: 'Events with an AppLogEntry as data and its id' }) },
    },
    media: { contentTypes: ['text/event-stream'] },
    errors: ['APP_NOT_FOUND', 'TOO_MANY_STREAMS'],
    invalid: ({ part }) => (part === 'params' ? 'APP_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user }, params, query, headers, request, reply }) => {
      const app = await requireOwner(deps, user, params.packageName)
      if (open >= MAX_STREAMS) throw fault('TOO_MANY_STREAMS')
      open += 1
      const left = new AbortController()
      request.raw.once('close', () => left.abort())
      const timer = deps.clock.after((query.seconds ?? MAX_SECONDS) * 1000, () => left.abort())
      const signal = AbortSignal.any([left.signal, deps.signal])
      const mayFollow = async () => {
        const current = await deps.users.findById(user.id)
        if (current === undefined || current.suspendedAt !== undefined) return false
        if (current.tokensValidFrom > user.tokensValidFrom) return false
        const same = await deps.apps.findByPackage(app.packageName)
        return same?.id === app.id && (await deps.catalogue.ownershipOf(current))(same)
      }
      const events = followLog({ ...deps, appId: app.id, after: headers['last-event-id'], signal, mayFollow })
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
