import { healthResponse } from '@glasses-cloud/contract'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { PhoneEndpointDeps } from './deps.ts'

/** Returns the state of the cloud for older tools. */
export const getHealth = ({ now, liveSessions }: PhoneEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/health',
    summary: 'Get the state of the cloud',
    tags: ['operation'],
    style: 'bare',
    auth: none,
    schema: { response: { 200: healthResponse } },
    limits: { perMinute: 'unlimited' },
    errors: [],
    handler: async () => ({
      status: 'ok' as const,
      timestamp: new Date(now()).toISOString(),
      sessions: { activeCount: liveSessions() },
      uptime: process.uptime(),
    }),
  })
