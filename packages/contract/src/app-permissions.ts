import { type Static, Type } from 'typebox'
import { appDetails, appItem } from './apps.ts'
import { permission, permissionType } from './permissions.ts'

/** How many permissions an app may declare. */
export const MAX_PERMISSIONS = 64

/** Schema of the permissions an app is given in place of those it has. */
export const permissionList = Type.Array(
  Type.Object({
    type: permissionType,
    description: Type.Optional(
      Type.String({ maxLength: 500, pattern: '^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]*$' }),
    ),
  }),
  { maxItems: MAX_PERMISSIONS },
)

/** Schema of the answer to `GET /api/permissions/:packageName`. */
export const appPermissions = Type.Object(
  { permissions: Type.Array(permission) },
  { title: 'AppPermissions' },
)

const { featured, published, appStoreStatus, minHardwareVersion, requiredHardware, webviewURL, developerId } =
  appItem.properties

/** Schema of an app as those see it who may change it. */
export const ownedApp = Type.Object(
  {
    ...appDetails.properties,
    featured,
    published,
    appStoreStatus,
    minHardwareVersion,
    requiredHardware,
    webviewURL,
    developerId,
  },
  { title: 'OwnedApp' },
)

/** An app as those see it who may change it. */
export type OwnedApp = Static<typeof ownedApp>
