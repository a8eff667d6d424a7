import type { AppDetails, AppWithScreenshots, OwnedApp, Permission, PublicApp } from '@glasses-cloud/contract'
import type { App } from './app.ts'

// Fields are listed one by one, so that a new column is not exposed by accident.

const isPublished = ({ appStoreStatus }: App) => appStoreStatus === 'PUBLISHED'

const summaryFields = (app: App) => ({
  _id: app.id,
  packageName: app.packageName,
  name: app.name,
  description: app.description,
  logoURL: app.logoUrl,
  appType: app.appType,
})

/** Without an organization, the name of the developer stands for it (decision C14). */
const developerFields = ({ organization, developerName }: App) => {
  if (organization !== null) return { developerProfile: organization.profile, orgName: organization.name }
  if (developerName !== null) return { developerProfile: { company: developerName }, orgName: developerName }
  return { developerProfile: {} }
}

const developerNameField = ({ organization, developerName }: App) => {
  const name = organization === null ? developerName : organization.profile.company || organization.name
  return name === null ? {} : { developerName: name }
}

const webviewField = ({ webviewUrl }: App) => (webviewUrl === null ? {} : { webviewURL: webviewUrl })

const storeFields = (app: App) => ({
  featured: app.featured,
  published: isPublished(app),
  appStoreStatus: app.appStoreStatus,
  minHardwareVersion: app.minHardwareVersion ?? '0.0.0',
  requiredHardware: app.hardwareRequirements
    .filter(({ level }) => level === 'REQUIRED')
    .map(({ type }) => type),
  ...webviewField(app),
})

/** Returns an app as `GET /api/apps/public` shows it. */
export const toPublicApp = (app: App): PublicApp => ({
  ...summaryFields(app),
  featured: app.featured,
  published: isPublished(app),
})

/** State of an app that does not depend on its row alone. */
export interface AppStatus {
  readonly isOnline: boolean
  readonly uninstallable: boolean
}

/** Returns the details of an app without its status. */
export const toDetails = (app: App) => ({
  ...summaryFields(app),
  ...developerFields(app),
  ...developerNameField(app),
  ...webviewField(app),
  permissions: [...app.permissions],
})

/** Returns the details of an app with its status. */
const toAppDetails = (app: App, { isOnline, uninstallable }: AppStatus): AppDetails => ({
  ...toDetails(app),
  isOnline,
  uninstallable,
})

/** Returns an app as `GET /api/apps/:packageName` shows it. */
export const toStorePage = (
  app: App,
  status: AppStatus,
  newPermissions: readonly Permission[],
): AppWithScreenshots => ({
  ...toAppDetails(app, status),
  ...(newPermissions.length === 0 ? {} : { newPermissions: [...newPermissions] }),
  screenshots: [...app.screenshots],
})

/** Returns an app as its owners see it. */
export const toOwnedApp = (app: App, status: AppStatus): OwnedApp => ({
  ...toAppDetails(app, status),
  ...storeFields(app),
  ...(app.developerId === null ? {} : { developerId: app.developerId }),
})

/** Returns an app as `GET /api/apps` shows it. */
export const toAppItem = (app: App) => ({
  ...summaryFields(app),
  ...developerFields(app),
  ...storeFields(app),
  permissions: [...app.permissions],
})
