import { developerApp } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { appParams, dataResponse } from '../../http/schemas.ts'
import { decideReview } from './decide-review.ts'
import type { AdministrationEndpointDeps } from './deps.ts'
import { noteText } from './schemas.ts'

/** Rejects an app in review, with notes for its developers. */
export const rejectApp = (deps: AdministrationEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/admin/apps/:packageName/reject',
    summary: 'Reject an app in review',
    tags: ['administration'],
    style: 'coded',
    auth: administrator,
    schema: {
      params: appParams,
      body: Type.Object(
        { notes: Type.String({ ...noteText, minLength: 1 }) },
        { additionalProperties: false },
      ),
      response: { 200: dataResponse(developerApp) },
    },
    errors: ['APP_NOT_FOUND', 'APP_NOT_IN_REVIEW'],
    invalid: ({ part }) => (part === 'params' ? 'APP_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user: actor }, params: { packageName }, body, request }) => {
      const { notes } = body
      const act = { actor, request, action: 'app.reject', target: packageName, details: { notes } }
      const data = await decideReview(deps, act, 'REJECTED', notes)
      return { success: true as const, data }
    },
  })
