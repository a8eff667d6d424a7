import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { ackSchemaWith } from './schemas.ts'

/** Phones ask for another way for their audio; told that there is none, they stay on the glasses socket. */
export const getLivekitToken = () =>
  endpoint({
    method: 'GET',
    url: '/api/client/livekit/token',
    summary: 'Ask for a LiveKit room; there is none',
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
