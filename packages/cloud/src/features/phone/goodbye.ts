import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { PhoneEndpointDeps } from './deps.ts'
import { ack, ackSchema } from './schemas.ts'

/** A phone takes its leave. It may be moving to another address of this cloud, so its session waits as ever. */
export const postGoodbye = ({ now }: PhoneEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/client/goodbye',
    summary: 'Take leave',
    tags: ['phone'],
    style: 'bare',
    auth: coreToken,
    schema: { response: { 200: ackSchema } },
    errors: [],
    handler: async () => ack(now()),
  })
