import { PACKAGE_NAME_PATTERN } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { Config } from '../../config/index.ts'
import { fault } from '../../http/fault.ts'
import type { User } from '../../identity/index.ts'
import type { App, Catalogue } from '../catalogue/index.ts'

/** What every endpoint of settings is filed under. */
export const tags = ['settings']

/** Path parameter of one app. What no package can be named cannot be found, so it is no bad request. */
export const appParams = Type.Object({ packageName: Type.String({ pattern: PACKAGE_NAME_PATTERN }) })

/** Path parameter of one setting. */
export const keyParams = Type.Object({ key: Type.String() })

/** Every path of app settings also has its older name. */
export const appSettingsPath = (path: string) => [`/appsettings${path}`, `/tpasettings${path}`] as const

/** What older phones call the dashboard. */
const dashboardAlias = 'com.augmentos.dashboard'

/**
 * The app of a settings page.
 * @throws Fault if the user may not see it
 */
export async function visibleApp(
  { catalogue, config }: { readonly catalogue: Catalogue; readonly config: Pick<Config, 'apps'> },
  user: User,
  packageName: string,
): Promise<App> {
  const app = await catalogue.find(packageName === dashboardAlias ? config.apps.dashboard : packageName, user)
  if (app === undefined) throw fault('APP_NOT_FOUND')
  return app
}

/** The answer of a phone's endpoint. */
export const answerOf = <Data>(data: Data, now: number) => ({
  success: true as const,
  data,
  timestamp: new Date(now).toISOString(),
})
