import { developerApp } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { appParams, dataResponse } from '../../http/schemas.ts'
import { decideReview } from './decide-review.ts'
import type { AdministrationEndpointDeps } from './deps.ts'
import { noteText } from './schemas.ts'

/** Approves an app in review, which publishes it. */
export const approveApp = (deps: AdministrationEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/admin/apps/:packageName/approve',
    summary: 'Approve an app in review',
    tags: ['administration'],
    style: 'coded',
    auth: administrator,
    schema: {
      params: appParams,
      body: Type.Object({ notes: Type.Optional(noteText) }, { additionalProperties: false }),
      response: { 200: dataResponse(developerApp) },
    },
    errors: ['APP_NOT_FOUND', 'APP_NOT_IN_REVIEW'],
    invalid: ({ part }) => (part === 'params' ? 'APP_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user: actor }, params: { packageName }, body, request }) => {
      const notes = body.notes ?? ''
      const act = { actor, request, action: 'app.approve', target: packageName, details: { notes } }
      const data = await decideReview(deps, act, 'PUBLISHED', notes)
      return { success: true as const, data }
    },
  })
