import { healthResponse } from '@glasses-cloud/contract'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'

/** How the cloud is, as older tools of the ecosystem ask. */
export const getHealth = endpoint({
  method: 'GET',
  url: '/health',
  summary: 'How is the cloud?',
  tags: ['operation'],
  style: 'bare',
  auth: none,
  schema: { response: { 200: healthResponse } },
  limits: { perMinute: 'unlimited' },
  errors: [],
  handler: async ({ services }) => ({
    status: 'ok' as const,
    timestamp: new Date(services.now()).toISOString(),
    sessions: { activeCount: services.liveSessions() },
    uptime: process.uptime(),
  }),
})
