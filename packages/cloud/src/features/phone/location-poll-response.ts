import { locationReport, parseLocationReport } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireSession } from '../../http/require-session.ts'
import type { PhoneEndpointDeps } from './deps.ts'
import { ack, ackSchemaWith } from './schemas.ts'

/** The phone answers `request_single_location`. An answer nobody waits for any more is a report like any other. */
export const postLocationPollResponse = ({ sessions, now }: PhoneEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/client/location/poll-response/:correlationId',
    summary: 'Answer an app that asked where the wearer is',
    tags: ['phone'],
    style: 'bare',
    auth: coreToken,
    schema: {
      params: Type.Object({ correlationId: Type.String({ minLength: 1, maxLength: 300 }) }),
      body: locationReport,
      response: {
        200: ackSchemaWith({ resolved: Type.Boolean({ description: 'Whether an app still waited' }) }),
      },
    },
    errors: ['NO_ACTIVE_SESSION'],
    handler: async ({ caller: { user }, params, body }) => {
      const session = await requireSession(sessions, user.id)
      const resolved = await session.answerLocationPoll(params.correlationId, parseLocationReport(body))
      return { ...ack(now()), resolved }
    },
  })
