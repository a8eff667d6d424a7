import { dateTimeReport } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { PhoneEndpointDeps } from './deps.ts'

/** Accepts date and time from older phones, which send their token in the body. */
export const setDateTime = ({ authenticator, sessions }: PhoneEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/user-data/set-datetime',
    summary: "Report the phone's date and time",
    tags: ['phone'],
    style: 'bare',
    auth: none,
    schema: {
      body: dateTimeReport,
      response: {
        200: Type.Object({
          success: Type.Literal(true),
          userId: Type.String({ description: 'E-mail' }),
          datetime: Type.String(),
        }),
      },
    },
    errors: ['UNAUTHORIZED', 'SESSION_NOT_FOUND'],
    handler: async ({ body: { coreToken, datetime } }) => {
      const outcome = await authenticator.authenticateToken(coreToken, { scopes: ['core'] })
      if (!outcome.ok) throw fault('UNAUTHORIZED')
      if (Number.isNaN(Date.parse(datetime)))
        throw fault('BAD_REQUEST', { message: 'datetime must be a date and time' })
      const session = await sessions.find(outcome.user.id)
      if (session === undefined) throw fault('SESSION_NOT_FOUND')
      await session.reportDateTime(datetime)
      return { success: true as const, userId: outcome.user.email, datetime }
    },
  })
