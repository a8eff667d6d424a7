import { type Static, Type } from 'typebox'

/** Every permission type an app may declare (interface specification, "Permission"). */
export const PERMISSION_TYPES = [
  'MICROPHONE',
  'LOCATION',
  'BACKGROUND_LOCATION',
  'CALENDAR',
  'CAMERA',
  'NOTIFICATIONS',
  'READ_NOTIFICATIONS',
  'POST_NOTIFICATIONS',
  'ALL',
] as const

/** Schema of a permission type. */
export const permissionType = Type.Enum(PERMISSION_TYPES, { title: 'PermissionType' })

/** One of {@link PERMISSION_TYPES}. */
export type PermissionType = Static<typeof permissionType>

/** Schema of a declared permission: what the app wants, and why. */
export const permission = Type.Object(
  { type: permissionType, description: Type.Optional(Type.String()) },
  { title: 'Permission' },
)

/** What an app declares to need, and why. */
export type Permission = Static<typeof permission>

/**
 * Whether the declared permissions grant the needed one. `ALL` grants everything; the legacy `NOTIFICATIONS`
 * grants reading notifications, which is all it ever meant.
 * @param declared permissions the app declares
 * @param needed the permission an action or stream needs
 */
export function grants(declared: readonly Pick<Permission, 'type'>[], needed: PermissionType): boolean {
  return declared.some(
    ({ type }) =>
      type === needed || type === 'ALL' || (type === 'NOTIFICATIONS' && needed === 'READ_NOTIFICATIONS'),
  )
}
