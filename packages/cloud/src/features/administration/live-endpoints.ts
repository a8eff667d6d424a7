import { adminNode, adminSession, closeFrames, nodeEvent, nodeSample } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import { dataResponse, successResponse } from '../../http/schemas.ts'
import type { AccessWatch } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import { type Clock, toIsoString } from '../../time/index.ts'
import type { Audit } from '../audit/index.ts'
import type { AdminStore } from './admin-store.ts'
import type { NodeList, SessionList } from './live-state.ts'
import type { NodeEventStore } from './node-event-store.ts'
import type { NodeSampleStore } from './node-sample-store.ts'
import { common, userParams } from './schemas.ts'

export interface LiveEndpointDeps {
  readonly clock: Clock
  readonly access: AccessWatch
  readonly store: AdminStore
  readonly sessions: SessionDirectory
  readonly sessionList: SessionList
  readonly nodes: NodeList
  readonly samples: NodeSampleStore
  readonly events: NodeEventStore
  readonly audit: Audit
  /** Aborts when the cloud shuts down. */
  readonly signal: AbortSignal
  /** Epoch ms. */
  readonly now: () => number
}

const DAY_MINUTES = 24 * 60

const minutesQuery = Type.Object({
  minutes: Type.Optional(
    Type.Integer({ minimum: 1, maximum: DAY_MINUTES, description: 'How far back; default: 60' }),
  ),
})

/** Measurements of a node in a response. */
const MAX_POINTS = 240

export const liveEndpoints = ({
  audit,
  events,
  nodes,
  now,
  samples,
  sessionList,
  sessions,
}: LiveEndpointDeps): Endpoint[] => [
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/admin/sessions',
    summary: 'Search live sessions',
    audited: ['session.list'],
    schema: {
      querystring: Type.Object({
        q: Type.Optional(
          Type.String({
            maxLength: 254,
            pattern: '^[^\\x00]*$',
            description: 'Part of the e-mail address, the glasses, the node, or a running app',
          }),
        ),
        ...pageQuery,
      }),
      response: { 200: dataResponse(Type.Array(adminSession)) },
    },
    errors: [],
    handler: async ({ caller: { user: actor }, query, request, reply }) => {
      const page = parsePage({ limit: 100, ...query })
      const sessions = await sessionList.list(withLookahead(page), query.q)
      const visible = toPage(sessions, page, ({ userId }) => userId, { request, reply })
      const details = { users: visible.map(({ userId }) => userId) }
      await audit.read({ actor, request, action: 'session.list', target: '', details })
      return { success: true as const, data: [...visible] }
    },
  }),
  endpoint({
    ...common,
    method: 'DELETE',
    url: '/api/admin/sessions/:userId',
    summary: 'End the live session of a user',
    audited: ['session.end'],
    schema: { params: userParams, response: { 200: successResponse } },
    errors: ['SESSION_NOT_FOUND'],
    invalid: 'SESSION_NOT_FOUND',
    handler: async ({ caller: { user: actor }, params: { userId }, request }) => {
      const session = await sessions.find(userId)
      if (session === undefined) throw fault('SESSION_NOT_FOUND')
      await audit.run({ actor, request, action: 'session.end', target: userId }, () =>
        session.end(closeFrames.SESSION_ENDED),
      )
      return { success: true as const }
    },
  }),
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/admin/nodes',
    summary: 'List nodes',
    audited: [],
    schema: { response: { 200: dataResponse(Type.Array(adminNode)) } },
    errors: [],
    handler: async () => ({ success: true as const, data: nodes.list() }),
  }),
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/admin/metrics',
    summary: 'Get the measurements of the nodes',
    audited: [],
    schema: {
      querystring: minutesQuery,
      response: { 200: dataResponse(Type.Array(nodeSample)) },
    },
    errors: [],
    handler: async ({ query: { minutes = 60 } }) => {
      const found = await samples.listSince(now() - minutes * 60_000, Math.ceil(minutes / MAX_POINTS))
      return {
        success: true as const,
        data: found.map((sample) => ({ ...sample, at: toIsoString(sample.at) })),
      }
    },
  }),
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/admin/events',
    summary: 'List what happened to the nodes, newest first',
    audited: [],
    schema: { querystring: minutesQuery, response: { 200: dataResponse(Type.Array(nodeEvent)) } },
    errors: [],
    handler: async ({ query: { minutes = 60 } }) => {
      const found = await events.listSince(now() - minutes * 60_000)
      return { success: true as const, data: found.map((event) => ({ ...event, at: toIsoString(event.at) })) }
    },
  }),
]
