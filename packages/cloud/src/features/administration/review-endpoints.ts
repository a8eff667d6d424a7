import { appStoreStatus, type DeveloperApp, developerApp } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import { appParams, dataResponse } from '../../http/schemas.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { ActOptions, Audit } from '../audit/index.ts'
import type { AppStore } from '../catalogue/index.ts'
import { applyToSessions, type Decision, ReviewStore, toDeveloperApps, viewOf } from '../developer/index.ts'
import { common, noteText } from './schemas.ts'

export interface ReviewEndpointDeps {
  readonly apps: AppStore
  readonly reviews: ReviewStore
  readonly audit: Audit
  readonly sessions: SessionDirectory
  /** Epoch ms. */
  readonly now: () => number
}

const reviewedRevision = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The revision that was reviewed, as listed',
})

export const reviewEndpoints = (deps: ReviewEndpointDeps): Endpoint[] => [
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/admin/apps',
    summary: 'List apps by status; by default those in review',
    audited: [],
    schema: {
      querystring: Type.Object({ status: Type.Optional(appStoreStatus), ...pageQuery }),
      response: { 200: dataResponse(Type.Array(developerApp)) },
    },
    errors: [],
    handler: async ({ query, request, reply }) => {
      const page = parsePage({ limit: 100, ...query })
      const apps = await deps.apps.listByStatus(query.status ?? 'SUBMITTED', withLookahead(page))
      const visible = toPage(apps, page, ({ packageName }) => packageName, { request, reply })
      return { success: true as const, data: await toDeveloperApps(deps, visible) }
    },
  }),
  endpoint({
    ...common,
    method: 'POST',
    url: '/api/admin/apps/:packageName/approve',
    summary: 'Approve an app in review',
    audited: ['app.approve'],
    schema: {
      params: appParams,
      body: Type.Object(
        { revision: reviewedRevision, notes: Type.Optional(noteText) },
        { additionalProperties: false },
      ),
      response: { 200: dataResponse(developerApp) },
    },
    errors: ['APP_NOT_FOUND', 'APP_NOT_IN_REVIEW', 'APP_REVISION_CHANGED'],
    invalid: ({ part }) => (part === 'params' ? 'APP_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user: actor }, params: { packageName }, body, request }) => {
      const { revision, notes = '' } = body
      const details = { revision, notes }
      const act = { actor, request, action: 'app.approve', target: packageName, details } as const
      const data = await decideReview(deps, act, { status: 'PUBLISHED', revision, notes })
      return { success: true as const, data }
    },
  }),
  endpoint({
    ...common,
    method: 'POST',
    url: '/api/admin/apps/:packageName/reject',
    summary: 'Reject an app in review',
    audited: ['app.reject'],
    schema: {
      params: appParams,
      body: Type.Object(
        { revision: reviewedRevision, notes: Type.String({ ...noteText, minLength: 1 }) },
        { additionalProperties: false },
      ),
      response: { 200: dataResponse(developerApp) },
    },
    errors: ['APP_NOT_FOUND', 'APP_NOT_IN_REVIEW', 'APP_REVISION_CHANGED'],
    invalid: ({ part }) => (part === 'params' ? 'APP_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user: actor }, params: { packageName }, body, request }) => {
      const { revision, notes } = body
      const details = { revision, notes }
      const act = { actor, request, action: 'app.reject', target: packageName, details } as const
      const data = await decideReview(deps, act, { status: 'REJECTED', revision, notes })
      return { success: true as const, data }
    },
  }),
]

/**
 * Decides the review of the app that is the target of the act.
 * @throws Fault `APP_NOT_FOUND`, `APP_NOT_IN_REVIEW`, or `APP_REVISION_CHANGED`
 */
async function decideReview(
  deps: ReviewEndpointDeps,
  act: ActOptions,
  decision: Decision,
): Promise<DeveloperApp> {
  const { apps, audit, now } = deps
  const app = await apps.findByPackage(act.target)
  if (app === undefined) throw fault('APP_NOT_FOUND')
  if (app.appStoreStatus !== 'SUBMITTED') throw fault('APP_NOT_IN_REVIEW')
  await audit.write(act, async (trx) => {
    const outcome = await new ReviewStore(trx).decide(app.id, decision, now())
    if (outcome === 'not_in_review') throw fault('APP_NOT_IN_REVIEW')
    if (outcome === 'changed') throw fault('APP_REVISION_CHANGED')
  })
  const decided = await apps.findByPackage(act.target)
  if (decided === undefined) throw fault('APP_NOT_FOUND')
  await applyToSessions(deps, decided, act.request.log)
  return viewOf(deps, decided)
}
