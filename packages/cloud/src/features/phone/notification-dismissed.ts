import { dismissalReport } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { liveSession } from './live-session.ts'
import { ack, messageAckSchema } from './schemas.ts'

/** A notification is gone from the phone. */
export const postNotificationDismissed = endpoint({
  method: 'POST',
  url: '/api/client/notifications/dismissed',
  summary: 'Report that a notification is gone',
  tags: ['phone'],
  style: 'bare',
  auth: coreToken,
  schema: { body: dismissalReport, response: { 200: messageAckSchema } },
  errors: ['NO_ACTIVE_SESSION'],
  handler: async ({ caller: { user }, body, services }) => {
    const session = await liveSession(services, user)
    await session.notificationDismissed(body)
    return { ...ack(services.now()), message: 'Notification dismissal received' }
  },
})
