import { formatList, formatNumber, plural } from '../../format.ts'

/** Texts of the cards, buttons and messages of apps. */
export const appTexts = {
  actions: { install: 'Install', start: 'Start', stop: 'Stop', uninstall: 'Uninstall' },
  actionOn: (action: string, name: string) => `${action} ${name}`,
  states: { starting: 'Starting', running: 'Running' },
  installed: 'Installed',
  featured: 'Featured',
  notPublished: 'Not published',
  by: (developer: string) => `by ${developer}`,
  done: {
    install: (name: string) => `${name} is installed`,
    uninstall: (name: string) => `${name} is uninstalled`,
    start: (name: string) => `${name} is running`,
    stop: (name: string) => `${name} has stopped`,
  },
  stops: (names: readonly string[]) => `Stops ${formatList(names)}`,
  wereStopped: (names: readonly string[]) =>
    `${formatList(names)} ${plural(names.length, { one: 'was', other: 'were' })} stopped`,
  undo: 'Undo',
  uninstallQuestion: (name: string) => `Uninstall ${name}?`,
  uninstallHint: 'The app stops, and its settings are kept for the next time.',
  didNotStart: (name: string) => `${name} did not start`,
  noGlasses: {
    reason: 'No glasses are connected.',
    advice: 'Connect your phone, or wear simulated glasses, then start the app again.',
  },
  wearSimulated: 'Wear simulated glasses',
  connectGlasses: 'Connect your glasses',
  newPermissions: {
    title: (name: string) => `${name} asks for more`,
    hint: 'It works without them until you accept, and never learns what was before.',
    accept: 'Accept',
    acceptFor: (name: string) => `Accept for ${name}`,
    accepted: (name: string) => `${name} has the new permissions`,
  },
  search: 'Search apps',
  showAll: (count: number) => `Show all ${formatNumber(count)} apps`,
  noMatch: 'No app matches.',
} as const
