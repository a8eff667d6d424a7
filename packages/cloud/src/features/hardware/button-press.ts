import { buttonPress, buttonPressResponse } from '@glasses-cloud/contract'
import { glassesTokenAnywhere } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireSession } from '../../http/require-session.ts'
import type { HardwareEndpointDeps } from './deps.ts'

/** Forwards a button press to subscribed apps; without subscribers, requests a photo. */
export const postButtonPress = ({ sessions }: HardwareEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/hardware/button-press',
    summary: 'Report a button press on the glasses',
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
