import { appSettingValues } from '@glasses-cloud/contract'
import { appSession } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { appParams } from '../../http/schemas.ts'
import { appSettingsPath } from './schemas.ts'

/** Returns the user's settings to the running app. */
export const getOwnSettings = () =>
  endpoint({
    method: 'GET',
    url: appSettingsPath('/user/:packageName'),
    summary: 'Get the settings of a running app',
    tags: ['settings'],
    style: 'bare',
    auth: appSession,
    schema: { params: appParams, response: { 200: appSettingValues } },
    errors: ['UNAUTHORIZED', 'APP_NOT_FOUND'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller: { session, packageName }, params }) => {
      const settings = params.packageName === packageName ? await session.appSettings(packageName) : undefined
      if (settings === undefined) throw fault('UNAUTHORIZED')
      return { success: true as const, settings }
    },
  })
