import { appUsageDay } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { appParams, dataResponse } from '../../http/schemas.ts'
import { requireOwner } from '../developer/index.ts'
import { DAY_MS, dayOf, USAGE_DAYS } from './app-log.ts'
import type { AppLogEndpointDeps } from './deps.ts'

/** Returns the use of an app on each of the last days. */
export const getUsage = (deps: AppLogEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/console/apps/:packageName/usage',
    summary: 'Get users, sessions and errors of an app by day',
    tags: ['developer'],
    style: 'coded',
    auth: coreOrPersonalToken('apps:read'),
    schema: {
      params: appParams,
      querystring: Type.Object({
        days: Type.Optional(
          Type.Integer({ minimum: 1, maximum: USAGE_DAYS, description: 'Default: 30, today included' }),
        ),
      }),
      response: {
        200: dataResponse(
          Type.Object({
            installs: Type.Integer({ description: 'Users who have the app installed' }),
            days: Type.Array(appUsageDay, { description: 'Oldest first, days without use included' }),
          }),
        ),
      },
    },
    errors: ['APP_NOT_FOUND'],
    invalid: ({ part }) => (part === 'params' ? 'APP_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user }, params, query: { days = 30 } }) => {
      const app = await requireOwner(deps, user, params.packageName)
      await deps.appLog.flush()
      const firstDay = dayOf(deps.clock.now()) - days + 1
      const [usage, installs] = await Promise.all([
        deps.store.usageOf(app.id, firstDay),
        deps.installs.count(app.id),
      ])
      const byDay = new Map(usage.map((one) => [one.day, one]))
      const all = Array.from({ length: days }, (_, index) => {
        const day = firstDay + index
        const { users = 0, sessions = 0, errors = 0 } = byDay.get(day) ?? {}
        return { date: new Date(day * DAY_MS).toISOString().slice(0, 10), users, sessions, errors }
      })
      return { success: true as const, data: { installs, days: all } }
    },
  })
