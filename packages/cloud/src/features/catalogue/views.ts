import type {
  AppDetails,
  AppItem,
  AvailableApp,
  Compatibility,
  FoundApp,
  InstalledApp,
  OwnedApp,
  PublicApp,
} from '@glasses-cloud/contract'
import type { App } from './app.ts'

/**
 * How each list shows an app. Every field is named here, one by one: what is added to an app's row is seen by
 * nobody until it is added here.
 */

const isPublished = ({ appStoreStatus }: App) => appStoreStatus === 'PUBLISHED'

const identity = (app: App) => ({ _id: app.id, packageName: app.packageName, name: app.name })

const face = (app: App) => ({
  ...identity(app),
  description: app.description,
  logoURL: app.logoUrl,
  appType: app.appType,
})

const maker = ({ organization }: App) =>
  organization === null
    ? { developerProfile: {} }
    : { developerProfile: organization.profile, orgName: organization.name }

const store = (app: App) => ({
  featured: app.featured,
  published: isPublished(app),
  appStoreStatus: app.appStoreStatus,
  minHardwareVersion: app.minHardwareVersion ?? '0.0.0',
  requiredHardware: app.hardwareRequirements
    .filter(({ level }) => level === 'REQUIRED')
    .map(({ type }) => type),
  ...(app.webviewUrl === null ? {} : { webviewURL: app.webviewUrl }),
})

/** An app as `GET /api/apps/public` shows it. */
export const publicView = (app: App): PublicApp => ({
  ...face(app),
  featured: app.featured,
  published: isPublished(app),
})

/** An app as `GET /api/apps/search` shows it. */
export const foundView = (app: App): FoundApp => ({ ...identity(app), description: app.description })

/** An app as `GET /api/apps/available` shows it. */
export const availableView = (app: App): AvailableApp => ({ ...identity(app), ...maker(app) })

/** An app as `GET /api/apps/installed` shows it. */
export const installedView = (
  app: App & { readonly installedAt: number },
  compatibility: Compatibility,
): InstalledApp => ({
  ...identity(app),
  installedDate: new Date(app.installedAt).toISOString(),
  compatibility,
})

/** An app's details, as `GET /api/apps/:packageName` shows them. */
export const detailsView = (app: App, uninstallable: boolean): AppDetails => ({
  ...face(app),
  permissions: [...app.permissions],
  uninstallable,
  ...maker(app),
})

/** An app as those see it who may change it. */
export const ownedView = (app: App, uninstallable: boolean): OwnedApp => ({
  ...detailsView(app, uninstallable),
  ...store(app),
  ...(app.developerId === null ? {} : { developerId: app.developerId }),
})

/** What `GET /api/apps` adds to an app for the user it is made for. */
export interface OwnView {
  readonly isRunning: boolean
  readonly lastActiveAt: number | null
  readonly compatibility: Compatibility
  /** Whether the user may change the app, and so see who made it. */
  readonly isMaker: boolean
}

/** An app as `GET /api/apps` shows it. */
export const itemView = (app: App, own: OwnView): AppItem => ({
  ...face(app),
  ...maker(app),
  ...store(app),
  ...(own.isMaker && app.developerId !== null ? { developerId: app.developerId } : {}),
  is_running: own.isRunning,
  ...(own.lastActiveAt === null ? {} : { lastActiveAt: new Date(own.lastActiveAt).toISOString() }),
  compatibility: own.compatibility,
})
