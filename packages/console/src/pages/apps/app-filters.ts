import type { App } from '../../api/apps.ts'
import { containsWords } from '../../search-words.ts'
import { useUrlChoice, useUrlText } from '../../url-state.ts'

export const SHOW = ['all', 'installed', 'running', 'compatible'] as const
export const HARDWARE = [
  'any',
  'CAMERA',
  'DISPLAY',
  'MICROPHONE',
  'SPEAKER',
  'IMU',
  'BUTTON',
  'LIGHT',
  'WIFI',
] as const
export const PERMISSION = [
  'any',
  'MICROPHONE',
  'CAMERA',
  'LOCATION',
  'BACKGROUND_LOCATION',
  'CALENDAR',
  'READ_NOTIFICATIONS',
  'POST_NOTIFICATIONS',
] as const

/** The search and the filters of the store, which are values of the address, and functions that change them. */
export function useAppFilters() {
  const [q, setQ] = useUrlText('q')
  const [show, setShow] = useUrlChoice('show', SHOW)
  const [hardware, setHardware] = useUrlChoice('hardware', HARDWARE)
  const [permission, setPermission] = useUrlChoice('permission', PERMISSION)
  return { q, setQ, show, setShow, hardware, setHardware, permission, setPermission }
}

export type AppFilters = ReturnType<typeof useAppFilters>

/** What the store knows about the apps of the user. */
export interface AppStates {
  readonly isInstalled: (app: App) => boolean
  readonly isRunning: (app: App) => boolean
}

/** The order of the store: featured apps first, then by name. */
export function sortApps(apps: readonly App[]): readonly App[] {
  const { compare } = new Intl.Collator(undefined, { numeric: true })
  return apps.toSorted((a, b) => Number(b.featured) - Number(a.featured) || compare(a.name, b.name))
}

/** Returns the apps that pass the filters, and whose name, description or package name contains the words of the search. */
export function filterApps(
  apps: readonly App[],
  { q, show, hardware, permission }: Pick<AppFilters, 'q' | 'show' | 'hardware' | 'permission'>,
  { isInstalled, isRunning }: AppStates,
): readonly App[] {
  return apps.filter((app) => {
    if (show === 'installed' && !isInstalled(app)) return false
    if (show === 'running' && !isRunning(app)) return false
    if (show === 'compatible' && !app.compatibility.isCompatible) return false
    if (hardware !== 'any' && !app.requiredHardware.includes(hardware)) return false
    if (permission !== 'any' && !uses(app, permission)) return false
    return containsWords(textOf(app), q)
  })
}

/** The text of an app in which words are searched. */
export const textOf = ({ name, description, packageName }: App): string =>
  `${name} ${description} ${packageName}`

/** Whether a permission is among those of an app, some of which include others. */
function uses({ permissions }: App, permission: AppFilters['permission']): boolean {
  return permissions.some(
    ({ type }) =>
      type === permission ||
      type === 'ALL' ||
      (type === 'NOTIFICATIONS' && permission === 'READ_NOTIFICATIONS'),
  )
}
