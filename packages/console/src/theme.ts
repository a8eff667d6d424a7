import { onDevice } from './stored.ts'

/** Color themes; `system` follows the setting of the device. */
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const STORAGE_KEY = 'theme'
const darkScheme = window.matchMedia('(prefers-color-scheme: dark)')

/** The theme that the user chose on this device. */
export function readTheme(): Theme {
  const stored = onDevice.read(STORAGE_KEY)
  return THEMES.find((theme) => theme === stored) ?? 'system'
}

/** Stores the theme on this device and shows it. */
export function chooseTheme(theme: Theme): void {
  onDevice.write(STORAGE_KEY, theme)
  showTheme(theme)
}

/** Shows the theme of the user, and keeps following the device. Call once at start. */
export function applyTheme(): void {
  darkScheme.addEventListener('change', () => showTheme())
  showTheme()
}

function showTheme(theme = readTheme()): void {
  const isDark = theme === 'dark' || (theme === 'system' && darkScheme.matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}
