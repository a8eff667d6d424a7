import { locationReport, parseLocationReport } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireSession } from '../../http/require-session.ts'
import type { PhoneEndpointDeps } from './deps.ts'
import { ack, ackSchemaWith } from './schemas.ts'

/**
 * Accepts the response to `request_single_location`. Without a pending poll it counts as a location report.
 */
export const postLocationPollResponse = ({ sessions, now }: PhoneEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/client/location/poll-response/:correlationId',
    summary: 'Respond to a location poll of an app',
    tags: ['phone'],
    style: 'bare',
    auth: coreToken,
    schema: {
      params: Type.Object({ correlationId: Type.String({ minLength: 1, maxLength: 300 }) }),
      body: locationReport,
      response: {
        200: ackSchemaWith({ resolved: Type.Boolean({ description: 'Whether a poll was pending' }) }),
      },
    },
    errors: ['NO_ACTIVE_SESSION'],
    handler: async ({ caller: { user }, params, body }) => {
      const session = await requireSession(sessions, user.id)
      const resolved = await session.answerLocationPoll(params.correlationId, parseLocationReport(body))
      return { ...ack(now()), resolved }
    },
  })
