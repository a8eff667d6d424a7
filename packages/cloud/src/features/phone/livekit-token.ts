import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { ackSchemaWith } from './schemas.ts'

/** Always returns 404 `LIVEKIT_NOT_CONFIGURED`, after which phones send audio on the glasses socket. */
export const getLivekitToken = () =>
  endpoint({
    method: 'GET',
    url: '/api/client/livekit/token',
    summary: 'Request a LiveKit room; not supported',
    tags: ['phone'],
    style: 'bare',
    auth: coreToken,
    schema: {
      response: {
        200: ackSchemaWith({
          data: Type.Object({
            url: Type.String(),
            token: Type.String(),
            room: Type.String(),
            identity: Type.String(),
          }),
        }),
      },
    },
    errors: ['LIVEKIT_NOT_CONFIGURED'],
    handler: async () => {
      throw fault('LIVEKIT_NOT_CONFIGURED')
    },
  })
