import { getApp } from './get-app.ts'
import { getVersion } from './get-version.ts'
import { installApp } from './install-app.ts'
import { listApps } from './list-apps.ts'
import { listAvailableApps } from './list-available-apps.ts'
import { listInstalledApps } from './list-installed-apps.ts'
import { listPublicApps } from './list-public-apps.ts'
import { searchApps } from './search-apps.ts'
import { startApp } from './start-app.ts'
import { stopApp } from './stop-app.ts'
import { uninstallApp } from './uninstall-app.ts'

/** Endpoints under `/api/apps`. */
export const catalogueEndpoints = [
  listApps,
  listPublicApps,
  searchApps,
  listAvailableApps,
  listInstalledApps,
  getVersion,
  getApp,
  installApp,
  uninstallApp,
  startApp,
  stopApp,
]
