import { buttonPhotoResponse, buttonPress, buttonPressResponse } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { Feature } from '../../feature.ts'
import { glassesToken, glassesTokenAnywhere } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault, requireSession } from '../../http/fault.ts'
import type { SessionDirectory } from '../../session-host/index.ts'

/** Endpoints for reports of glasses (glasses-socket.md §3.9). */
export function createHardware(deps: HardwareDeps): Feature {
  return { name: 'hardware', endpoints: hardwareEndpoints(deps) }
}

export interface HardwareDeps {
  readonly sessions: SessionDirectory
}

const common = { tags: ['hardware'], style: 'bare' } as const

const hardwareEndpoints = ({ sessions }: HardwareDeps): Endpoint[] => [
  endpoint({
    ...common,
    method: 'POST',
    url: '/api/hardware/button-press',
    summary: 'Report a button press on the glasses',
    auth: glassesTokenAnywhere,
    schema: { body: buttonPress, response: { 200: buttonPressResponse } },
    errors: ['NO_ACTIVE_SESSION'],
    limits: { bodyBytes: 16 * 1024 },
    handler: async ({ caller: { user }, body: { buttonId, pressType } }) => {
      const session = await requireSession(sessions, user.id)
      const requestId = await session.pressButton({ buttonId, pressType })
      const success = true as const
      return requestId === undefined ? { success } : { success, action: 'take_photo' as const, requestId }
    },
  }),
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/hardware/system-photo-request/:requestId',
    summary: 'Get whether the photo of a button press is pending',
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
  }),
]
