import { Type } from 'typebox'
import type { Config } from '../../config/index.ts'
import { fault } from '../../http/fault.ts'
import type { User } from '../../identity/index.ts'
import type { App, Catalogue } from '../catalogue/index.ts'

export const keyParams = Type.Object({ key: Type.String() })

/** Paths of app settings, each with its older alias. */
export const appSettingsPath = (path: string) => [`/appsettings${path}`, `/tpasettings${path}`] as const

/** Package name of the dashboard on older phones. */
const DASHBOARD_ALIAS = 'com.augmentos.dashboard'

/**
 * Returns the app of a settings page.
 * @throws Fault `APP_NOT_FOUND` if the user may not see it
 */
export async function visibleApp(
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
export const toResponse = <Data>(data: Data, now: number) => ({
  success: true as const,
  data,
  timestamp: new Date(now).toISOString(),
})
