import type { Permission } from '@glasses-cloud/contract'
import type { AppDefinition } from '../ports.ts'
import { createAppDefinition } from '../testing/session-rig.ts'

/** The package that owns the dashboard. */
export const systemPackage = 'system.dashboard'

/** The apps of every simulated world: two that exclude each other, one in the background, the dashboard. */
export const packages = ['com.standard-a', 'com.standard-b', 'com.background', systemPackage] as const
/** One of them. */
export type Package = (typeof packages)[number]

/** Declared permissions. */
export function permissionsOf(...types: readonly Permission['type'][]): Permission[] {
  return types.map((type) => ({ type, description: '' }))
}

/** The apps as they are at first. */
export const definitions: ReadonlyMap<Package, AppDefinition> = new Map([
  define('com.standard-a', 'STANDARD', ['MICROPHONE', 'LOCATION', 'CAMERA']),
  define('com.standard-b', 'STANDARD', ['MICROPHONE', 'CALENDAR']),
  define('com.background', 'BACKGROUND', ['ALL']),
  define(systemPackage, 'SYSTEM_DASHBOARD', ['LOCATION', 'CAMERA']),
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
