import { formatNumber, plural } from '../../format.ts'

/** Texts of the list of apps and of the frame of one app. */
export const developerTexts = {
  title: 'Developer',
  description: 'The apps that you and your organizations make.',
  create: 'Create an app',
  firstApp: 'Your first app',
  search: 'Search by name, package or owner',
  filter: 'Show',
  filters: {
    all: 'All apps',
    PUBLISHED: 'Published',
    SUBMITTED: 'In review',
    REJECTED: 'Rejected',
    DEVELOPMENT: 'In development',
    down: 'Server not reached',
  },
  count: (count: number) => plural(count, { one: '1 app', other: `${formatNumber(count)} apps` }),
  table: 'Your apps',
  columns: { app: 'App', state: 'State', owner: 'Owner', changed: 'Changed' },
  you: 'You',
  empty: {
    title: 'No apps yet',
    hint: 'Make your first app: it takes a browser, an editor and ten minutes.',
  },
  noMatch: { title: 'No app matches', hint: 'Change the search, or show all apps.' },
  states: {
    DEVELOPMENT: 'In development',
    SUBMITTED: 'In review',
    REJECTED: 'Rejected',
    PUBLISHED: 'Published',
  },
  serverDown: 'Server not reached',
  frame: {
    parts: 'Parts of the app',
    overview: 'Overview',
    edit: 'Edit',
    keys: 'Keys',
    connection: 'Test connection',
    log: 'Live log',
    usage: 'Usage',
    firstApp: 'First app',
    openGlasses: 'Open glasses',
    openStore: 'Open in the store',
  },
} as const
