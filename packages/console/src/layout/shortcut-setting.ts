const STORAGE_KEY = 'shortcuts'
const OFF = 'off'

/** Whether single keys are shortcuts on this device; they are unless the user has switched them off. */
export function readShortcutSetting(): boolean {
  return localStorage.getItem(STORAGE_KEY) !== OFF
}

/** Stores on this device whether single keys are shortcuts. */
export function storeShortcutSetting(isOn: boolean): void {
  if (isOn) localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, OFF)
}
