import type { AppDetails, AvailableApp, FoundApp, OwnedApp, PublicApp } from '@glasses-cloud/contract'
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

/** The part of an entry of `GET /api/apps/installed` that does not depend on the user. */
export const identityView = (app: App) => identity(app)

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

/** The part of an entry of `GET /api/apps` that does not depend on the user. */
export const itemView = (app: App) => ({ ...face(app), ...maker(app), ...store(app) })
