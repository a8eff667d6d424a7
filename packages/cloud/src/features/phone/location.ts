import { locationReport, parseLocationReport } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireSession } from '../../http/require-session.ts'
import type { PhoneEndpointDeps } from './deps.ts'
import { ack, ackSchema } from './schemas.ts'

export const postLocation = ({ sessions, now }: PhoneEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/client/location',
    summary: "Report the user's location",
    tags: ['phone'],
    style: 'bare',
    auth: coreToken,
    schema: { body: locationReport, response: { 200: ackSchema } },
    errors: ['NO_ACTIVE_SESSION'],
    handler: async ({ caller: { user }, body }) => {
      const session = await requireSession(sessions, user.id)
      await session.reportLocation(parseLocationReport(body))
      return ack(now())
    },
  })
