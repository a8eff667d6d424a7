import { appEvent, appLogEntry, appUsageDay } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { EventStreams, eventStreamMedia, eventStreamQuery } from '../../http/event-stream.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import { appParams, dataResponse } from '../../http/schemas.ts'
import type { AccessWatch, User } from '../../identity/index.ts'
import { type Clock, toIsoString } from '../../time/index.ts'
import type { AppStore, Catalogue, InstallStore } from '../catalogue/index.ts'
import { requireOwner } from '../developer/index.ts'
import { type AppLog, USAGE_DAYS } from './app-log.ts'
import { type AppLogStore, DAY_MS, dayOf } from './app-log-store.ts'
import { followLog, toEntryView } from './follow-log.ts'

export interface AppLogEndpointDeps {
  readonly clock: Clock
  readonly access: AccessWatch
  readonly apps: AppStore
  readonly catalogue: Catalogue
  readonly installs: InstallStore
  readonly appLog: AppLog
  readonly store: AppLogStore
  /** Ends streams when the cloud shuts down. */
  readonly signal: AbortSignal
}

/** Open streams of one node, and of one user on it. */
const MAX_STREAMS = 500

const MAX_STREAMS_PER_USER = 20

const common = { tags: ['developer'], style: 'coded', auth: coreOrPersonalToken('apps:read') } as const

export const appLogEndpoints = (deps: AppLogEndpointDeps): Endpoint[] => [
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/console/apps/:packageName/logs',
    summary: 'List the log of an app, newest first',
    schema: {
      params: appParams,
      querystring: Type.Object(pageQuery),
      response: { 200: dataResponse(Type.Array(appLogEntry)) },
    },
    errors: ['APP_NOT_FOUND'],
    invalid: ({ part }) => (part === 'params' ? 'APP_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user }, params, query, request, reply }) => {
      const page = parsePage(query)
      const app = await requireOwner(deps, user, params.packageName)
      await deps.appLog.flush()
      const entries = await deps.store.list(app.id, withLookahead(page))
      const visible = toPage(entries, page, ({ id }) => id, { request, reply })
      return { success: true as const, data: visible.map(toEntryView) }
    },
  }),
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/console/apps/:packageName/usage',
    summary: 'Get users, sessions and errors of an app by day, and what happened to it',
    schema: {
      params: appParams,
      querystring: Type.Object({
        days: Type.Optional(
          Type.Integer({ minimum: 1, maximum: USAGE_DAYS, description: 'Default: 30, today included' }),
        ),
      }),
      response: {
        200: dataResponse(
          Type.Object({
            installs: Type.Integer({ description: 'Users who have the app installed' }),
            days: Type.Array(appUsageDay, { description: 'Oldest first, days without use included' }),
            events: Type.Array(appEvent, { description: 'Newest first, at most 500' }),
          }),
        ),
      },
    },
    errors: ['APP_NOT_FOUND'],
    invalid: ({ part }) => (part === 'params' ? 'APP_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user }, params, query: { days = 30 } }) => {
      const app = await requireOwner(deps, user, params.packageName)
      await deps.appLog.flush()
      const firstDay = dayOf(deps.clock.now()) - days + 1
      const [usage, installs, events] = await Promise.all([
        deps.store.usageOf(app.id, firstDay),
        deps.installs.count(app.id),
        deps.store.eventsOf(app.id, firstDay * DAY_MS),
      ])
      const byDay = new Map(usage.map((one) => [one.day, one]))
      const all = Array.from({ length: days }, (_, index) => {
        const day = firstDay + index
        const { users = 0, sessions = 0, errors = 0 } = byDay.get(day) ?? {}
        return { date: new Date(day * DAY_MS).toISOString().slice(0, 10), users, sessions, errors }
      })
      const happened = events.map(({ at, kind }) => ({ at: toIsoString(at), kind }))
      return { success: true as const, data: { installs, days: all, events: happened } }
    },
  }),
]

/** Streams the log of an app as server-sent events, until the client leaves or loses its access. */
export const streamLog = (deps: AppLogEndpointDeps) => {
  const streams = new EventStreams({
    ...deps,
    maxStreams: MAX_STREAMS,
    maxStreamsPerUser: MAX_STREAMS_PER_USER,
  })
  return endpoint({
    ...common,
    method: 'GET',
    url: '/api/console/apps/:packageName/logs/stream',
    summary: 'Stream the log of an app as server-sent events',
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
      const isOwner = async (user: User) => {
        const same = await deps.apps.findByPackage(app.packageName)
        return same?.id === app.id && (await deps.catalogue.ownershipOf(user))(same)
      }
      return streams.open(
        context,
        (signal) => followLog({ ...deps, appId: app.id, after: headers['last-event-id'], signal }),
        isOwner,
      )
    },
  })
}
