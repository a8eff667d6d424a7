import { type Static, Type } from 'typebox'
import { appDetails, appItem } from './apps.ts'
import { permission, permissionType } from './permissions.ts'

/** Maximum number of permissions that an app may declare. */
export const MAX_PERMISSIONS = 64

/** Schema of the permissions that replace those of an app. */
export const permissionList = Type.Array(
  Type.Object({
    type: permissionType,
    description: Type.Optional(
      Type.String({ maxLength: 500, pattern: '^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]*$' }),
    ),
  }),
  { maxItems: MAX_PERMISSIONS },
)

/** Schema of the response of `GET /api/permissions/:packageName`. */
export const appPermissions = Type.Object(
  { permissions: Type.Array(permission) },
  { title: 'AppPermissions' },
)

/** Schema of the permissions that a user accepts. */
export const acceptedPermissionList = Type.Array(permissionType, { minItems: 1, maxItems: MAX_PERMISSIONS })

/** Schema of the permissions that an app has for a user. */
export const permissionAcceptance = Type.Object(
  {
    packageName: Type.String(),
    permissions: Type.Array(permission, { description: 'The permissions that the app has for the user' }),
    newPermissions: Type.Array(permission, { description: 'The permissions that the user has not accepted' }),
  },
  { title: 'PermissionAcceptance' },
)

const { featured, published, appStoreStatus, minHardwareVersion, requiredHardware, webviewURL, developerId } =
  appItem.properties

/** Schema of an app as returned to users who may modify it. */
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

/** An app as returned to users who may modify it. */
export type OwnedApp = Static<typeof ownedApp>
