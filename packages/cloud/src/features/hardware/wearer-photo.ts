import { buttonPhotoResponse } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { glassesToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { HardwareEndpointDeps } from './deps.ts'

/** Returns whether the photo that a button press requested is pending. */
export const getWearerPhoto = ({ sessions }: HardwareEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/hardware/system-photo-request/:requestId',
    summary: 'Get whether the photo of a button press is pending',
    tags: ['hardware'],
    style: 'bare',
    auth: glassesToken,
    schema: {
      params: Type.Object({ requestId: Type.String({ minLength: 1, maxLength: 200 }) }),
      response: { 200: buttonPhotoResponse },
    },
    errors: ['WEARER_PHOTO_NOT_FOUND'],
    invalid: 'WEARER_PHOTO_NOT_FOUND',
    handler: async ({ caller: { user }, params: { requestId } }) => {
      const session = await sessions.find(user.id)
      if (!(await session?.isPhotoPending(requestId))) throw fault('WEARER_PHOTO_NOT_FOUND')
      return { success: true as const, action: 'take_photo' as const }
    },
  })
