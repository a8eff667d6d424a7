import type { Logger } from 'pino'
import { aboutCloud, type Config } from '../../config/index.ts'
import type { ChangeFeed, Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { ApiKeyStore, OrganizationStore } from '../../identity/index.ts'
import type { AppDirectory, AppServers, SessionDirectory } from '../../session-host/index.ts'
import type { Clock } from '../../time/index.ts'
import type { WebhookClient } from '../../webhooks/index.ts'
import { AppActivityStore } from './app-activity-store.ts'
import { AppLists } from './app-lists.ts'
import { AppStore } from './app-store.ts'
import { Catalogue } from './catalogue.ts'
import { CatalogueSnapshot } from './catalogue-snapshot.ts'
import { getApp } from './get-app.ts'
import { getVersion } from './get-version.ts'
import { giveUpOwnership } from './give-up-ownership.ts'
import { HealthChecks } from './health-checks.ts'
import { installApp } from './install-app.ts'
import { InstallStore } from './install-store.ts'
import { listApps } from './list-apps.ts'
import { listAvailableApps } from './list-available-apps.ts'
import { listInstalledApps } from './list-installed-apps.ts'
import { listPublicApps } from './list-public-apps.ts'
import { OwnershipStore } from './ownership-store.ts'
import { appActivityExport, installedAppsExport, ownAppsExport } from './personal-data.ts'
import { searchApps } from './search-apps.ts'
import { recordServerHealth } from './server-health.ts'
import { startApp } from './start-app.ts'
import { stopApp } from './stop-app.ts'
import { uninstallApp } from './uninstall-app.ts'
import { UserAppsReader } from './user-apps.ts'
import { webhookTarget } from './webhook-target.ts'

/** Collaborators of the catalogue. */
export interface CatalogueFeatureDeps {
  readonly clock: Clock
  readonly db: Database
  readonly changes: ChangeFeed
  readonly config: Config
  readonly organizations: OrganizationStore
  readonly apiKeyStore: ApiKeyStore
  readonly webhooks: WebhookClient
  readonly publicUrl: () => URL
  readonly sessions: SessionDirectory
  readonly log: Logger
  /** Epoch ms. */
  readonly now: () => number
}

/** The apps: listed, searched, installed, started and stopped, under `/api/apps`. */
export function createCatalogue(deps: CatalogueFeatureDeps): Feature & {
  readonly catalogue: Catalogue
  readonly apps: AppStore
  readonly installs: InstallStore
  readonly activity: AppActivityStore
  readonly appServers: AppServers
  readonly healthChecks: HealthChecks
  readonly appDirectory: AppDirectory
} {
  const { clock, db, changes, config, organizations, apiKeyStore, webhooks, sessions, log, now, publicUrl } =
    deps
  const apps = new AppStore(db, () => publicUrl().href.replace(/\/+$/, ''))
  const installs = new InstallStore(db)
  const activity = new AppActivityStore(db)
  const dashboardPackage = config.apps.dashboard
  const systemPackages = [...config.apps.system, dashboardPackage]
  const userApps = new UserAppsReader({ installs, activity, organizations, changes })
  const snapshot = new CatalogueSnapshot({ apps, changes })
  const lists = new AppLists({ snapshot, userApps, organizations, systemPackages, dashboardPackage, now })
  const catalogue = new Catalogue({ installs, lists, userApps, systemPackages, dashboardPackage, now })
  const appServers: AppServers = {
    webhookTarget: (app) => webhookTarget(apiKeyStore, app),
    recordServerHealth: (app, response) => recordServerHealth(apps, app, response, now()),
  }
  const endpointDeps = { catalogue, lists, sessions, about: aboutCloud(config) }
  return {
    name: 'catalogue',
    catalogue,
    apps,
    installs,
    activity,
    appDirectory: {
      findByPackage: (packageName) => lists.findAny(packageName),
      findByPackages: (packageNames) => lists.findAll(packageNames),
      findByIds: (ids) => apps.findByIds(ids),
      findVisible: (packageName, user) => catalogue.find(packageName, user),
      markReachable: (packageName) => apps.markReachable(packageName),
    },
    appServers,
    healthChecks: new HealthChecks({ appServers, webhooks, monotonicNow: () => clock.monotonicNow() }),
    endpoints: [
      listApps(endpointDeps),
      listPublicApps(endpointDeps),
      searchApps(endpointDeps),
      listAvailableApps(endpointDeps),
      listInstalledApps(endpointDeps),
      getVersion(endpointDeps),
      getApp(endpointDeps),
      installApp(endpointDeps),
      uninstallApp(endpointDeps),
      startApp(endpointDeps),
      stopApp(endpointDeps),
    ],
    exportSections: [
      installedAppsExport(installs),
      appActivityExport(activity),
      ownAppsExport(apps, apiKeyStore),
    ],
    deletionSteps: [giveUpOwnership(new OwnershipStore(db), now, log)],
  }
}
