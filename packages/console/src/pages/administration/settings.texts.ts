import { plural } from '../../format.ts'

export const settingsTexts = {
  search: 'Search settings',
  show: 'Show',
  shows: { all: 'All settings', set: 'Only those that are set' },
  count: (count: number) => plural(count, { one: '1 setting', other: `${count} settings` }),
  source: { environment: 'Environment', file: 'File .env', default: 'Default' },
  sourceLabel: 'Source',
  defaultLabel: 'Default',
  isSet: 'Set',
  notSet: 'Not set',
  noMatch: 'No setting matches',
  noMatchAdvice: 'Search for a part of its name, value or description.',
  introduction:
    'Read from the environment and the file .env when the server starts; a change takes effect with the next start. Secrets are only shown as set.',
  systemApps: {
    title: 'System apps',
    description: 'Installed for every user by SYSTEM_APPS and SYSTEM_DASHBOARD_PACKAGE_NAME.',
    none: 'There are none.',
    app: 'App',
    server: 'App server',
    state: 'State',
    dashboard: 'Dashboard',
    missing: 'Not registered',
    down: 'Does not answer',
    registered: 'Registered',
    noServer: '–',
  },
} as const
