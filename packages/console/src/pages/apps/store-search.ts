/** Values of the filters of the store. */
export const SHOW_FILTERS = ['all', 'installed', 'running', 'compatible'] as const
export const HARDWARE_FILTERS = [
  'CAMERA',
  'DISPLAY',
  'MICROPHONE',
  'SPEAKER',
  'IMU',
  'BUTTON',
  'LIGHT',
  'WIFI',
] as const
export const PERMISSION_FILTERS = [
  'MICROPHONE',
  'CAMERA',
  'LOCATION',
  'BACKGROUND_LOCATION',
  'CALENDAR',
  'READ_NOTIFICATIONS',
  'POST_NOTIFICATIONS',
] as const

/** What the store shows, as it is in the address; what is absent does not restrict it. */
export interface StoreSearch {
  readonly q?: string | undefined
  readonly show?: (typeof SHOW_FILTERS)[number] | undefined
  readonly hardware?: (typeof HARDWARE_FILTERS)[number] | undefined
  readonly permission?: (typeof PERMISSION_FILTERS)[number] | undefined
}

/** Reads the search of an address, without what the store does not know. */
export function readStoreSearch(search: Readonly<Record<string, unknown>>): StoreSearch {
  const show = SHOW_FILTERS.find((value) => value === search.show)
  const hardware = HARDWARE_FILTERS.find((value) => value === search.hardware)
  const permission = PERMISSION_FILTERS.find((value) => value === search.permission)
  return {
    ...(typeof search.q === 'string' && search.q !== '' && { q: search.q }),
    ...(show && { show }),
    ...(hardware && { hardware }),
    ...(permission && { permission }),
  }
}
