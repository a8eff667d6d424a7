import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { taken, takenAt } from './shapes.ts'

/** A phone takes its leave. It may be moving to another address of this cloud, so its session waits as ever. */
export const postGoodbye = endpoint({
  method: 'POST',
  url: '/api/client/goodbye',
  summary: 'Take leave',
  tags: ['phone'],
  style: 'bare',
  auth: coreToken,
  schema: { response: { 200: taken } },
  errors: [],
  handler: async ({ services }) => takenAt(services.now()),
})
