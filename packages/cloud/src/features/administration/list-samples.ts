import { nodeSample } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { dataResponse } from '../../http/schemas.ts'
import type { AdministrationEndpointDeps } from './deps.ts'
import { iso } from './schemas.ts'

const DAY_MINUTES = 24 * 60

/** Measurements of a node in a response. */
const MAX_POINTS = 240

/** Returns what the nodes measured, oldest first. */
export const listSamples = ({ samples, now }: AdministrationEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/admin/metrics',
    summary: 'Get the measurements of the nodes',
    tags: ['administration'],
    style: 'coded',
    auth: administrator,
    schema: {
      querystring: Type.Object({
        minutes: Type.Optional(
          Type.Integer({ minimum: 1, maximum: DAY_MINUTES, description: 'How far back; default: 60' }),
        ),
      }),
      response: { 200: dataResponse(Type.Array(nodeSample)) },
    },
    errors: [],
    handler: async ({ query: { minutes = 60 } }) => {
      const found = await samples.listSince(now() - minutes * 60_000, Math.ceil(minutes / MAX_POINTS))
      return { success: true as const, data: found.map((sample) => ({ ...sample, at: iso(sample.at) })) }
    },
  })
