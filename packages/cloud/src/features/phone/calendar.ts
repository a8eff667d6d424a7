import { calendarReport } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireSession } from '../../http/require-session.ts'
import type { PhoneEndpointDeps } from './deps.ts'
import { ack, ackSchema } from './schemas.ts'

/** Accepts the calendar of the coming week. */
export const postCalendar = ({ sessions, now }: PhoneEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/client/calendar',
    summary: "Report the user's calendar",
    tags: ['phone'],
    style: 'bare',
    auth: coreToken,
    schema: { body: calendarReport, response: { 200: ackSchema } },
    errors: ['NO_ACTIVE_SESSION'],
    handler: async ({ caller: { user }, body }) => {
      const session = await requireSession(sessions, user.id)
      await session.reportCalendar(body.events)
      return ack(now())
    },
  })
