import { locationReport, parseLocationReport } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { liveSession } from './live-session.ts'
import { ack, ackSchema } from './schemas.ts'

/** The phone says where the wearer is. */
export const postLocation = endpoint({
  method: 'POST',
  url: '/api/client/location',
  summary: 'Report where the wearer is',
  tags: ['phone'],
  style: 'bare',
  auth: coreToken,
  schema: { body: locationReport, response: { 200: ackSchema } },
  errors: ['NO_ACTIVE_SESSION'],
  handler: async ({ caller: { user }, body, services }) => {
    const session = await liveSession(services, user)
    await session.reportLocation(parseLocationReport(body))
    return ack(services.now())
  },
})
