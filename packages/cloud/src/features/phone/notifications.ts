import { notificationReport } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireSession } from '../../http/require-session.ts'
import type { PhoneEndpointDeps } from './deps.ts'
import { ack, messageAckSchema } from './schemas.ts'

export const postNotification = ({ sessions, now }: PhoneEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/client/notifications',
    summary: 'Report a notification of the phone',
    tags: ['phone'],
    style: 'bare',
    auth: coreToken,
    schema: { body: notificationReport, response: { 200: messageAckSchema } },
    errors: ['NO_ACTIVE_SESSION'],
    handler: async ({ caller: { user }, body }) => {
      const session = await requireSession(sessions, user.id)
      await session.notify(body)
      return { ...ack(now()), message: 'Notification received' }
    },
  })
