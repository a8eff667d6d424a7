import type { AppDetails, AvailableApp, FoundApp, OwnedApp, PublicApp } from '@glasses-cloud/contract'
import type { App } from './app.ts'

// Fields are listed one by one, so that a new column is not exposed by accident.

const isPublished = ({ appStoreStatus }: App) => appStoreStatus === 'PUBLISHED'

const identityFields = (app: App) => ({ _id: app.id, packageName: app.packageName, name: app.name })

const summaryFields = (app: App) => ({
  ...identityFields(app),
  description: app.description,
  logoURL: app.logoUrl,
  appType: app.appType,
})

const developerFields = ({ organization }: App) =>
  organization === null
    ? { developerProfile: {} }
    : { developerProfile: organization.profile, orgName: organization.name }

const storeFields = (app: App) => ({
  featured: app.featured,
  published: isPublished(app),
  appStoreStatus: app.appStoreStatus,
  minHardwareVersion: app.minHardwareVersion ?? '0.0.0',
  requiredHardware: app.hardwareRequirements
    .filter(({ level }) => level === 'REQUIRED')
    .map(({ type }) => type),
  ...(app.webviewUrl === null ? {} : { webviewURL: app.webviewUrl }),
})

/** Returns an app as `GET /api/apps/public` shows it. */
export const toPublicApp = (app: App): PublicApp => ({
  ...summaryFields(app),
  featured: app.featured,
  published: isPublished(app),
})

/** Returns an app as `GET /api/apps/search` shows it. */
export const toFoundApp = (app: App): FoundApp => ({ ...identityFields(app), description: app.description })

/** Returns an app as `GET /api/apps/available` shows it. */
export const toAvailableApp = (app: App): AvailableApp => ({
  ...identityFields(app),
  ...developerFields(app),
})

/** Returns the fields of an entry of `GET /api/apps/installed` that do not depend on the user. */
export const identityView = (app: App) => identityFields(app)

/** Returns an app as `GET /api/apps/:packageName` shows it. */
export const toAppDetails = (app: App, uninstallable: boolean): AppDetails => ({
  ...summaryFields(app),
  permissions: [...app.permissions],
  uninstallable,
  ...developerFields(app),
})

/** Returns an app as its owners see it. */
export const toOwnedApp = (app: App, uninstallable: boolean): OwnedApp => ({
  ...toAppDetails(app, uninstallable),
  ...storeFields(app),
  ...(app.developerId === null ? {} : { developerId: app.developerId }),
})

/** Returns an app as `GET /api/apps` shows it. */
export const toAppItem = (app: App) => ({
  ...summaryFields(app),
  ...developerFields(app),
  ...storeFields(app),
})
