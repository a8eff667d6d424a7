import { adminNode, adminSession, closeFrames, nodeSample } from '@glasses-cloud/contract'
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
  readonly audit: Audit
  /** Aborts when the cloud shuts down. */
  readonly signal: AbortSignal
  /** Epoch ms. */
  readonly now: () => number
}

const DAY_MINUTES = 24 * 60

/** Measurements of a node in a response. */
const MAX_POINTS = 240

export const liveEndpoints = ({
  audit,
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
    summary: 'List live sessions',
    audited: ['session.list'],
    schema: {
      querystring: Type.Object(pageQuery),
      response: { 200: dataResponse(Type.Array(adminSession)) },
    },
    errors: [],
    handler: async ({ caller: { user: actor }, query, request, reply }) => {
      const page = parsePage({ limit: 100, ...query })
      const sessions = await sessionList.list(withLookahead(page))
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
      querystring: Type.Object({
        minutes: Type.Optional(
          Type.Integer({ minimum: 1, maximum: DAY_MINUTES, description: 'How far back; default: 60' }),
        ),
      }),
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
]
