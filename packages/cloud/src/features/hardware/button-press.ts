import { buttonPress, buttonPressResponse } from '@glasses-cloud/contract'
import { glassesTokenAnywhere } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireSession } from '../../http/require-session.ts'
import type { HardwareEndpointDeps } from './deps.ts'

/** A button of the glasses was pressed, which apps hear of, or else means a photo. */
export const postButtonPress = ({ sessions }: HardwareEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/hardware/button-press',
    summary: 'Report a press of a button of the glasses',
    tags: ['hardware'],
    style: 'bare',
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
  })
