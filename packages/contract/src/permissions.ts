import { type Static, Type } from 'typebox'

/** Permission types that an app may declare. */
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

export const permissionType = Type.Enum(PERMISSION_TYPES, { title: 'PermissionType' })

/** One of {@link PERMISSION_TYPES}. */
export type PermissionType = Static<typeof permissionType>

/** Schema of a declared permission, with the reason the app needs it. */
export const permission = Type.Object(
  { type: permissionType, description: Type.Optional(Type.String()) },
  { title: 'Permission' },
)

/** A declared permission. */
export type Permission = Static<typeof permission>

/**
 * Merges the entries of each type into one, at the place of the first. Its description is the last one that is not blank.
 */
export function mergePermissions(declared: readonly Permission[]): Permission[] {
  const merged = new Map<PermissionType, Permission>()
  for (const { type, description } of declared) {
    const earlier = merged.get(type)
    if (earlier !== undefined && (description ?? '').trim() === '') continue
    merged.set(type, description === undefined ? { type } : { type, description })
  }
  return [...merged.values()]
}

/**
 * Whether the declared permissions include the required one. `ALL` includes every permission; the legacy
 * `NOTIFICATIONS` includes `READ_NOTIFICATIONS`.
 */
export function grants(declared: readonly Pick<Permission, 'type'>[], required: PermissionType): boolean {
  return declared.some(
    ({ type }) =>
      type === required || type === 'ALL' || (type === 'NOTIFICATIONS' && required === 'READ_NOTIFICATIONS'),
  )
}
