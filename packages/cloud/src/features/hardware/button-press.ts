import { buttonPress, buttonPressResponse } from '@glasses-cloud/contract'
import { glassesTokenAnywhere } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { liveSession } from '../phone/index.ts'

/** A button of the glasses was pressed, which apps hear of, or else means a photo. */
export const postButtonPress = endpoint({
  method: 'POST',
  url: '/api/hardware/button-press',
  summary: 'Report a press of a button of the glasses',
  tags: ['hardware'],
  style: 'bare',
  auth: glassesTokenAnywhere,
  schema: { body: buttonPress, response: { 200: buttonPressResponse } },
  errors: ['NO_ACTIVE_SESSION'],
  limits: { bodyBytes: 16 * 1024 },
  handler: async ({ caller: { user }, body: { buttonId, pressType }, services }) => {
    const session = await liveSession(services, user)
    const requestId = await session.pressButton({ buttonId, pressType })
    const success = true as const
    return requestId === undefined ? { success } : { success, action: 'take_photo' as const, requestId }
  },
})
