import type { Logger } from 'pino'
import { aboutCloud, type Config } from '../../config/index.ts'
import type { ChangeFeed, Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import { baseUrlOf } from '../../http/request-origin.ts'
import type { ApiKeyStore, OrganizationStore, UserStore } from '../../identity/index.ts'
import { toAppDefinition } from '../../session/index.ts'
import type { AppDirectory, AppServers, SessionDirectory } from '../../session-host/index.ts'
import type { Clock } from '../../time/index.ts'
import type { WebhookClient } from '../../webhooks/index.ts'
import { AcceptanceStore } from './acceptance-store.ts'
import { AppActivityStore } from './app-activity-store.ts'
import { appEndpoints } from './app-endpoints.ts'
import { AppLists } from './app-lists.ts'
import { HealthChecks, recordServerHealth, webhookTarget } from './app-servers.ts'
import { AppStore } from './app-store.ts'
import { Catalogue } from './catalogue.ts'
import { CatalogueSnapshot } from './catalogue-snapshot.ts'
import { InstallStore } from './install-store.ts'
import { listEndpoints, listPublicApps } from './list-endpoints.ts'
import { OwnershipStore } from './ownership-store.ts'
import {
  acceptedPermissionsExport,
  appActivityExport,
  giveUpOwnership,
  installedAppsExport,
  ownAppsExport,
} from './personal-data.ts'
import { UserAppsReader } from './user-apps.ts'

export type { App, AppChanges, AppRegistration, ReviewedManifest } from './app.ts'
export { AppActivityStore } from './app-activity-store.ts'
export type { HealthChecks } from './app-servers.ts'
export { isKnownDown, webhookTarget } from './app-servers.ts'
export { type AppImages, AppInReviewError, AppStore } from './app-store.ts'
export type { Catalogue } from './catalogue.ts'
export { InstallStore, readReviewState } from './install-store.ts'
export { type RegisteredApp, registerApp } from './register-app.ts'
export { isApproved, revisionOf } from './reviewed-manifest.ts'
export { readLiveState } from './user-apps.ts'
export { toOwnedApp } from './views.ts'

export interface CatalogueFeatureDeps {
  readonly clock: Clock
  readonly db: Database
  readonly changes: ChangeFeed
  readonly config: Config
  readonly organizations: OrganizationStore
  readonly users: UserStore
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
  const { clock, db, changes, config, organizations, users, apiKeyStore, webhooks, sessions, log } = deps
  const { now, publicUrl } = deps
  const isReviewed = config.apps.review
  const apps = new AppStore(db, { baseUrl: () => baseUrlOf(publicUrl()), isReviewed })
  const installs = new InstallStore(db)
  const acceptances = new AcceptanceStore(db)
  const activity = new AppActivityStore(db)
  const dashboardPackage = config.apps.dashboard
  const systemPackages = [...config.apps.system, dashboardPackage]
  const userApps = new UserAppsReader({ installs, activity, acceptances, organizations, changes })
  const snapshot = new CatalogueSnapshot({ apps, changes, isReviewed })
  const lists = new AppLists({ snapshot, userApps, organizations, systemPackages, dashboardPackage, now })
  const catalogue = new Catalogue({
    installs,
    acceptances,
    lists,
    userApps,
    systemPackages,
    dashboardPackage,
    now,
  })
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
      findFor: async ({ id }, packageNames) => {
        const user = await users.findById(id)
        return user === undefined ? [] : (await lists.findFor(user, packageNames)).map(toAppDefinition)
      },
      namesOf: async (ids) => (await apps.findByIds(ids)).map(({ packageName }) => packageName),
      isVisible: async (packageName, { id }) =>
        (await catalogue.find(packageName, await users.findById(id))) !== undefined,
      acceptFirstUse: async (packageName, { id }) => {
        const user = await users.findById(id)
        const app = user && (await catalogue.find(packageName, user))
        if (user && app) await catalogue.acceptFirstUse(user, app)
      },
      markReachable: (packageName) => apps.markReachable(packageName),
    },
    appServers,
    healthChecks: new HealthChecks({ appServers, webhooks, monotonicNow: () => clock.monotonicNow() }),
    endpoints: [...listEndpoints(endpointDeps), listPublicApps(endpointDeps), ...appEndpoints(endpointDeps)],
    exportSections: [
      installedAppsExport(installs),
      acceptedPermissionsExport(acceptances),
      appActivityExport(activity),
      ownAppsExport(apps, apiKeyStore),
    ],
    deletionSteps: [giveUpOwnership(new OwnershipStore(db), now, log)],
  }
}
