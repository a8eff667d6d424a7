import {
  appSettingsPage,
  appSettingValues,
  changedUserSettingsResponse,
  deleteUserSettingResponse,
  saveUserSettingResponse,
  settingChanges,
  userSettingBody,
  userSettingResponse,
  userSettingsBody,
  userSettingsResponse,
} from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { Config } from '../../config/index.ts'
import { appSession, coreToken } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { addIgnoredFields } from '../../http/ignored-fields.ts'
import { appParams } from '../../http/schemas.ts'
import type { User } from '../../identity/index.ts'
import type { App, Catalogue } from '../catalogue/index.ts'
import type { AppSettings } from './app-settings.ts'
import type { UserSettings } from './user-settings.ts'

export interface SettingsEndpointDeps {
  readonly appSettings: AppSettings
  readonly catalogue: Catalogue
  readonly config: Config
  /** Epoch ms. */
  readonly now: () => number
  readonly userSettings: UserSettings
}

const keyParams = Type.Object({ key: Type.String() })

/** Package name of the dashboard on older phones. */
const DASHBOARD_ALIAS = 'com.augmentos.dashboard'

const common = { tags: ['settings'], style: 'bare' } as const

const oneSetting = { ...common, url: '/api/client/user/settings/key/:key', auth: coreToken } as const

export const settingsEndpoints = ({
  appSettings,
  catalogue,
  config,
  now,
  userSettings,
}: SettingsEndpointDeps): Endpoint[] => [
  endpoint({
    ...common,
    method: 'GET',
    url: appSettingsPath('/user/:packageName'),
    summary: 'Get the settings of a running app',
    auth: appSession,
    schema: { params: appParams, response: { 200: appSettingValues } },
    errors: ['UNAUTHORIZED', 'APP_NOT_FOUND'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller: { session, packageName }, params }) => {
      const settings = params.packageName === packageName ? await session.appSettings(packageName) : undefined
      if (settings === undefined) throw fault('UNAUTHORIZED')
      return { success: true as const, settings }
    },
  }),
  endpoint({
    ...common,
    method: 'GET',
    url: appSettingsPath('/:packageName'),
    summary: 'Get the settings page of an app',
    auth: coreToken,
    schema: { params: appParams, response: { 200: appSettingsPage } },
    errors: ['APP_NOT_FOUND'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller: { user }, params }) => {
      const app = await visibleApp({ catalogue, config }, user, params.packageName)
      const { organization } = app
      return {
        success: true as const,
        userId: user.email,
        name: app.name,
        description: app.description,
        uninstallable: !catalogue.isSystemApp(app.packageName),
        webviewURL: app.webviewUrl ?? '',
        // Apps have no versions, but clients read the field.
        version: '1.0.0',
        settings: await appSettings.page(user, app),
        permissions: [...app.permissions],
        organization: organization && { ...organization.profile, name: organization.name },
      }
    },
  }),
  endpoint({
    ...common,
    method: 'POST',
    url: appSettingsPath('/:packageName'),
    summary: 'Save settings of an app',
    auth: coreToken,
    schema: {
      params: appParams,
      body: settingChanges,
      response: { 200: Type.Object({ success: Type.Literal(true), message: Type.String() }) },
    },
    errors: ['APP_NOT_FOUND', 'BAD_REQUEST'],
    invalid: ({ part }) => (part === 'params' ? 'APP_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user }, params, body }) => {
      const app = await visibleApp({ catalogue, config }, user, params.packageName)
      await appSettings.save(user, app, [body].flat())
      return { success: true as const, message: 'Settings saved' }
    },
  }),
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/client/user/settings',
    summary: 'Get the settings of the user',
    auth: coreToken,
    schema: { response: { 200: userSettingsResponse } },
    errors: [],
    handler: async ({ caller: { user } }) => toResponse({ settings: await userSettings.all(user.id) }, now()),
  }),
  // Some phones use `PUT`, others `POST`.
  ...(['PUT', 'POST'] as const).map((method) =>
    endpoint({
      ...common,
      method,
      url: '/api/client/user/settings',
      summary: 'Merge settings into those of the user',
      auth: coreToken,
      schema: { body: userSettingsBody, response: { 200: changedUserSettingsResponse } },
      errors: ['TOO_MANY_SETTINGS'],
      handler: async ({ caller: { user }, body }) => {
        const ignored = await userSettings.merge(user.id, body.settings)
        addIgnoredFields(
          body,
          ignored.map(({ name }) => `settings.${name}`),
        )
        return toResponse({ settings: await userSettings.all(user.id) }, now())
      },
    }),
  ),
  endpoint({
    ...oneSetting,
    method: 'GET',
    summary: 'Get one setting of the user',
    schema: { params: keyParams, response: { 200: userSettingResponse } },
    errors: [],
    handler: async ({ caller: { user }, params: { key } }) => {
      const settings = await userSettings.all(user.id)
      const exists = Object.hasOwn(settings, key)
      return toResponse({ key, value: exists ? settings[key] : null, exists }, now())
    },
  }),
  endpoint({
    ...oneSetting,
    method: 'PUT',
    summary: 'Set one setting of the user',
    schema: { params: keyParams, body: userSettingBody, response: { 200: saveUserSettingResponse } },
    errors: ['TOO_MANY_SETTINGS'],
    handler: async ({ caller: { user }, params: { key }, body: { value } }) => {
      await changeOne(userSettings, user, key, value)
      const stored = await userSettings.all(user.id)
      return toResponse({ key, value: Object.hasOwn(stored, key) ? stored[key] : null }, now())
    },
  }),
  endpoint({
    ...oneSetting,
    method: 'DELETE',
    summary: 'Delete one setting of the user',
    schema: { params: keyParams, response: { 200: deleteUserSettingResponse } },
    errors: [],
    handler: async ({ caller: { user }, params: { key } }) => {
      await changeOne(userSettings, user, key, null)
      return toResponse({ key, deleted: true as const }, now())
    },
  }),
]

/** @throws Fault `BAD_REQUEST` for an invalid key or value, which would be all that is left out */
async function changeOne(userSettings: UserSettings, user: User, key: string, value: unknown): Promise<void> {
  const [ignored] = await userSettings.merge(user.id, Object.fromEntries([[key, value]]))
  if (ignored) throw fault('BAD_REQUEST', { message: ignored.problem })
}

/** Paths of app settings, each with its older alias. */
const appSettingsPath = (path: string) => [`/appsettings${path}`, `/tpasettings${path}`] as const

/**
 * Returns the app of a settings page.
 * @throws Fault `APP_NOT_FOUND` if the user may not see it
 */
async function visibleApp(
  { catalogue, config }: { readonly catalogue: Catalogue; readonly config: Pick<Config, 'apps'> },
  user: User,
  packageName: string,
): Promise<App> {
  const app = await catalogue.find(
    packageName === DASHBOARD_ALIAS ? config.apps.dashboard : packageName,
    user,
  )
  if (app === undefined) throw fault('APP_NOT_FOUND')
  return app
}

/** Response of the phone's endpoints. */
const toResponse = <Data>(data: Data, now: number) => ({
  success: true as const,
  data,
  timestamp: new Date(now).toISOString(),
})
