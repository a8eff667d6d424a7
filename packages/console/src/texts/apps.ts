import type { HardwareType } from './permissions.ts'

const list = new Intl.ListFormat('en', { type: 'conjunction' })

export const apps = {
  title: 'Apps',
  description: 'Install apps and start them on your glasses.',
  search: 'Search apps',
  filter: 'Show',
  filters: {
    all: 'All apps',
    installed: 'Installed',
    running: 'Running',
    compatible: 'Works with my glasses',
  },
  hardwareFilter: 'Needs',
  anyHardware: 'Any hardware',
  permissionFilter: 'Uses',
  anyPermission: 'Any permission',
  by: (developer: string) => `by ${developer}`,
  install: 'Install',
  start: 'Start',
  stop: 'Stop',
  uninstall: 'Uninstall',
  starting: 'Starting',
  running: 'Running',
  installed: 'Installed',
  incompatible: 'Not compatible',
  unpublished: 'Not published',
  featured: 'Featured',
  empty: {
    title: 'No apps yet',
    hint: 'Developers publish apps for this cloud. Make the first one yourself.',
    action: 'Make an app',
  },
  noMatch: {
    title: 'No app matches',
    hint: 'Change the search or the filters.',
    action: 'Show all apps',
  },
  permissions: 'Permissions',
  permissionsHint: 'What the app may use while it runs on your glasses.',
  noPermissions: 'This app needs no permissions.',
  hardware: 'Hardware',
  required: 'Required',
  missing: 'Missing on your glasses',
  noHardware: 'Works with any glasses.',
  screenshots: 'Screenshots',
  screenshot: (name: string, number: number) => `Screenshot ${number} of ${name}`,
  developer: 'Developer',
  website: 'Website',
  contact: 'Contact',
  offline: {
    title: 'The server of the app does not answer at the moment',
    hint: 'It may not start. Its developer has to bring the server back.',
  },
  glasses: {
    connected: (model: string, parts: readonly string[]) =>
      parts.length === 0
        ? `${model} are connected.`
        : `${model} are connected. They have ${list.format(parts)}.`,
    unknown: (model: string) => `${model} are connected, a model that this cloud does not know.`,
    phoneOnly: 'Your phone is connected, but no glasses.',
    none: 'No glasses are connected.',
    simulate: 'Wear simulated glasses',
    connectPhone: 'Connect a phone',
  },
  compatibility: {
    unknown: 'Connect your glasses to see whether the app works with them.',
    full: (model: string) => `Works fully with your ${model}.`,
    partial: (model: string, parts: readonly string[]) =>
      `Works with your ${model}, without what needs ${list.format(parts)}.`,
    none: (model: string, parts: readonly string[]) =>
      `Does not work with your ${model}: they have no ${list.format(parts)}.`,
  },
  noGlasses: {
    reason: 'No glasses are connected.',
    advice: 'Connect your phone, or wear simulated glasses, then start the app again.',
  },
  startFailed: (name: string) => `${name} did not start`,
  uninstallQuestion: (name: string) => `Uninstall ${name}?`,
  uninstallHint: 'The app stops, and its settings are kept for the next time.',
  done: {
    install: (name: string) => `${name} is installed`,
    uninstall: (name: string) => `${name} is uninstalled`,
    start: (name: string) => `${name} is running`,
    stop: (name: string) => `${name} has stopped`,
  },
} as const

/** Parts of glasses inside a sentence. */
export const hardwareInSentence: Record<HardwareType, string> = {
  CAMERA: 'camera',
  DISPLAY: 'display',
  MICROPHONE: 'microphone',
  SPEAKER: 'speaker',
  IMU: 'motion sensor',
  BUTTON: 'button',
  LIGHT: 'light',
  WIFI: 'Wi-Fi',
  EXIST: 'glasses',
}
