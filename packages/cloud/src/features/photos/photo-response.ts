import { photoResponseBody } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireSession } from '../../http/require-session.ts'
import type { PhotoEndpointDeps } from './deps.ts'

/** Accepts the result of a photo request from newer phones, which do not send it on the socket. Ignores unknown requests. */
export const photoResponse = ({ sessions, now }: PhotoEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/client/photo/response',
    summary: 'Report the result of a photo request',
    tags: ['photos'],
    style: 'bare',
    auth: coreToken,
    schema: {
      body: photoResponseBody,
      response: {
        200: Type.Object({
          success: Type.Literal(true),
          message: Type.String(),
          timestamp: Type.String({ format: 'date-time' }),
        }),
      },
    },
    errors: ['NO_ACTIVE_SESSION'],
    handler: async ({ caller: { user }, body }) => {
      const session = await requireSession(sessions, user.id)
      await session.photoResponse(body)
      return {
        success: true as const,
        message: 'Photo response received',
        timestamp: new Date(now()).toISOString(),
      }
    },
  })
