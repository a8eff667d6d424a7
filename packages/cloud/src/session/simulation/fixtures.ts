import type { Permission } from '@glasses-cloud/contract'
import type { AppDefinition } from '../ports.ts'
import { createAppDefinition } from '../testing/session-rig.ts'

export const SYSTEM_PACKAGE = 'system.dashboard'

/** The apps of every simulation: two standard apps, which exclude each other, a background app and the dashboard. */
export const PACKAGES = ['com.standard-a', 'com.standard-b', 'com.background', SYSTEM_PACKAGE] as const
export type Package = (typeof PACKAGES)[number]

export function permissionsOf(...types: readonly Permission['type'][]): Permission[] {
  return types.map((type) => ({ type, description: '' }))
}

/** The initial definitions. */
export const DEFINITIONS: ReadonlyMap<Package, AppDefinition> = new Map([
  define('com.standard-a', 'STANDARD', ['MICROPHONE', 'LOCATION', 'CAMERA']),
  define('com.standard-b', 'STANDARD', ['MICROPHONE', 'CALENDAR']),
  define('com.background', 'BACKGROUND', ['ALL']),
  define(SYSTEM_PACKAGE, 'SYSTEM_DASHBOARD', ['LOCATION', 'CAMERA']),
])

function define(
  packageName: Package,
  appType: AppDefinition['appType'],
  permissions: readonly Permission['type'][],
): [Package, AppDefinition] {
  return [
    packageName,
    createAppDefinition(packageName, { appType, permissions: permissionsOf(...permissions) }),
  ]
}
