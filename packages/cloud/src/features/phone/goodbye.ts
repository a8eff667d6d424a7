import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { PhoneEndpointDeps } from './deps.ts'
import { ack, ackSchema } from './schemas.ts'

/**
 * Accepts the phone's goodbye without ending the session: the phone may be moving to another address of this cloud.
 */
export const postGoodbye = ({ now }: PhoneEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/client/goodbye',
    summary: 'Announce that the phone disconnects',
    tags: ['phone'],
    style: 'bare',
    auth: coreToken,
    schema: { response: { 200: ackSchema } },
    errors: [],
    handler: async () => ack(now()),
  })
