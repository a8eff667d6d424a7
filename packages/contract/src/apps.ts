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

const identity = {
  _id: Type.String(),
  packageName: Type.String(),
  name: Type.String(),
}

const appearance = {
  ...identity,
  description: Type.String(),
  logoURL: Type.String(),
  appType,
}

const developer = {
  developerProfile,
  orgName: Type.Optional(Type.String({ description: 'Absent for an app without an organization' })),
}

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
    webviewURL: Type.Optional(
      Type.String({ description: 'Absent if the app does not support web authentication' }),
    ),
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

/** Schema of an app in `GET /api/apps/search`. */
export const foundApp = Type.Object({ ...identity, description: Type.String() }, { title: 'FoundApp' })

/** An app in `GET /api/apps/search`. */
export type FoundApp = Static<typeof foundApp>

/** Schema of an app in `GET /api/apps/available`. */
export const availableApp = Type.Object({ ...identity, ...developer }, { title: 'AvailableApp' })

/** An app in `GET /api/apps/available`. */
export type AvailableApp = Static<typeof availableApp>

/** Schema of an app in `GET /api/apps/installed`. */
export const installedApp = Type.Object(
  { ...identity, installedDate: isoTime, compatibility },
  { title: 'InstalledApp' },
)

/** An app in `GET /api/apps/installed`. */
export type InstalledApp = Static<typeof installedApp>

/** Schema of the details of one app, `GET /api/apps/:packageName`. */
export const appDetails = Type.Object(
  { ...appearance, permissions: Type.Array(permission), uninstallable: Type.Boolean(), ...developer },
  { title: 'AppDetails' },
)

/** The details of one app, `GET /api/apps/:packageName`. */
export type AppDetails = Static<typeof appDetails>
