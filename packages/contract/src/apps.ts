import { type Static, Type } from 'typebox'
import { compatibility, hardwareType } from './compatibility.ts'
import { permission } from './permissions.ts'

/** App types (decision C1), as used in `/api/apps*`. */
export const APP_TYPES = ['STANDARD', 'BACKGROUND', 'SYSTEM_DASHBOARD'] as const

export const appType = Type.Enum(APP_TYPES, { title: 'AppType' })

/** One of {@link APP_TYPES}. */
export type AppType = Static<typeof appType>

/** Store statuses of an app. Only `PUBLISHED` apps are visible to all users. */
export const APP_STORE_STATUSES = ['DEVELOPMENT', 'SUBMITTED', 'REJECTED', 'PUBLISHED'] as const

export const appStoreStatus = Type.Enum(APP_STORE_STATUSES, { title: 'AppStoreStatus' })

/** One of {@link APP_STORE_STATUSES}. */
export type AppStoreStatus = Static<typeof appStoreStatus>

const isoTime = Type.String({ format: 'date-time' })

/** Schema of the developer of an app. Unset fields are omitted. */
export const developerProfile = Type.Partial(
  Type.Object({
    company: Type.String(),
    website: Type.String(),
    contactEmail: Type.String(),
    description: Type.String(),
    logo: Type.String(),
  }),
  { title: 'DeveloperProfile' },
)

/** The developer of an app. */
export type DeveloperProfile = Static<typeof developerProfile>

const appearance = {
  _id: Type.String(),
  packageName: Type.String(),
  name: Type.String(),
  description: Type.String(),
  logoURL: Type.String(),
  appType,
}

const developer = {
  developerProfile,
  orgName: Type.Optional(
    Type.String({
      description:
        'Name of the organization, without one the display name of the developer; absent without either',
    }),
  ),
}

/** Schema of the permissions of an app that the user has not accepted. */
const newPermissions = Type.Optional(
  Type.Array(permission, {
    description:
      'Permissions that the app has asked for since the user installed or first started it, and that the user has ' +
      'not accepted; absent if there are none',
  }),
)

const webviewURL = Type.Optional(
  Type.String({ description: 'Absent if the app does not support web authentication' }),
)

/** Schema of an app in `GET /api/apps`. */
export const appItem = Type.Object(
  {
    ...appearance,
    ...developer,
    featured: Type.Boolean(),
    published: Type.Boolean(),
    appStoreStatus,
    minHardwareVersion: Type.String(),
    requiredHardware: Type.Array(hardwareType),
    permissions: Type.Array(permission),
    newPermissions,
    webviewURL,
    developerId: Type.Optional(
      Type.String({ description: 'E-mail address of the developer; only for users who may modify the app' }),
    ),
    is_running: Type.Boolean(),
    lastActiveAt: Type.Optional({ ...isoTime, description: 'Absent if the app has never run' }),
    compatibility,
  },
  { title: 'App' },
)

/** An app in `GET /api/apps`. */
export type AppItem = Static<typeof appItem>

/** Schema of an app in `GET /api/apps/public`. */
export const publicApp = Type.Object(
  { ...appearance, featured: Type.Boolean(), published: Type.Boolean() },
  { title: 'PublicApp' },
)

/** An app in `GET /api/apps/public`. */
export type PublicApp = Static<typeof publicApp>

/**
 * Schema of an app in `GET /api/apps/search` and `GET /api/apps/available`: the fields of the contract, and what the
 * pages of app stores read beyond them (decision W8).
 */
export const appDetails = Type.Object(
  {
    ...appearance,
    ...developer,
    developerName: Type.Optional(
      Type.String({
        description:
          'Company, or name of the organization, without one the display name of the developer; absent without any',
      }),
    ),
    webviewURL,
    permissions: Type.Array(permission),
    uninstallable: Type.Boolean({ description: 'False for system apps' }),
    isOnline: Type.Boolean({ description: 'False while the app server is known to be down' }),
  },
  { title: 'AppDetails' },
)

/** The details of an app. */
export type AppDetails = Static<typeof appDetails>

/** Schema of an app in `GET /api/apps/:packageName`. */
export const appWithScreenshots = Type.Object(
  {
    ...appDetails.properties,
    newPermissions,
    screenshots: Type.Array(Type.String({ description: 'Public URL of an image' }), {
      description: 'In the order of the store page',
    }),
  },
  { title: 'AppWithScreenshots' },
)

/** An app in `GET /api/apps/:packageName`. */
export type AppWithScreenshots = Static<typeof appWithScreenshots>

/** Schema of an app in `GET /api/apps/installed`. */
export const installedApp = Type.Object(
  { ...appDetails.properties, newPermissions, installedDate: isoTime, compatibility },
  { title: 'InstalledApp' },
)

/** An app in `GET /api/apps/installed`. */
export type InstalledApp = Static<typeof installedApp>
