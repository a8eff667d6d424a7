/** An entry that leads to a page of the console. */
export interface PageText {
  readonly title: string
  /** Other words for it. */
  readonly words: string
  readonly href: string
}

const pages: readonly PageText[] = [
  { title: 'Apps', words: 'store install start', href: '/store' },
  { title: 'Glasses', words: 'simulator simulated lens speak microphone inspector', href: '/glasses' },
  {
    title: 'My glasses',
    words: 'real even realities g1 bluetooth arms connect pocket',
    href: '/glasses/mine',
  },
  { title: 'Gallery', words: 'photos pictures recordings', href: '/gallery' },
  { title: 'First steps', words: 'welcome phone qr code address', href: '/welcome' },
  { title: 'Profile and privacy', words: 'account name share usage data', href: '/account' },
  {
    title: 'Security',
    words: 'account password passkey second factor linked sign-in',
    href: '/account/security',
  },
  {
    title: 'Sessions and access tokens',
    words: 'account devices browsers sign out',
    href: '/account/sessions',
  },
  { title: 'Your data', words: 'account export delete download', href: '/account/data' },
  { title: 'Your developer apps', words: 'developer', href: '/developer' },
  { title: 'New app', words: 'developer create manifest', href: '/developer/new' },
  { title: 'Your first app', words: 'developer tutorial code', href: '/developer/first-app' },
  { title: 'Organizations', words: 'members invitations team', href: '/organizations' },
]

const administration: readonly PageText[] = [
  { title: 'Users', words: 'administration suspend', href: '/admin' },
  { title: 'Review', words: 'administration approve reject apps', href: '/admin/review' },
  { title: 'Live sessions', words: 'administration connected glasses', href: '/admin/sessions' },
  { title: 'Health', words: 'administration nodes checks metrics', href: '/admin/health' },
  {
    title: 'Speech models',
    words: 'administration recognize speech captions languages voices install',
    href: '/admin/speech-models',
  },
  { title: 'Reports and incidents', words: 'administration feedback errors', href: '/admin/reports' },
  { title: 'Audit log', words: 'administration history who', href: '/admin/audit' },
  { title: 'Settings', words: 'administration configuration environment', href: '/admin/settings' },
  { title: 'Invitations', words: 'administration invite sign up', href: '/admin/invitations' },
]

const help: readonly PageText[] = [
  { title: 'Connect a phone to this cloud', words: 'address server url qr', href: '/welcome' },
  { title: 'Connect an Even G1', words: 'bluetooth real glasses arms pairing', href: '/glasses/mine' },
  { title: 'Try an app without glasses', words: 'simulated simulator put on', href: '/glasses' },
  { title: 'Take the first photo', words: 'gallery camera', href: '/glasses' },
  { title: 'Make and publish an app', words: 'developer submit store first', href: '/developer/first-app' },
  { title: 'Why does an app not start?', words: 'failure error webhook connection test', href: '/developer' },
  { title: 'Change the password', words: 'forgot reset', href: '/account/security' },
  { title: 'Sign in with a fingerprint or face', words: 'passkey touch id', href: '/account/security' },
  { title: 'Use the command line or CI', words: 'personal access token cli', href: '/account/sessions' },
  { title: 'Download everything about me', words: 'export data privacy', href: '/account/data' },
  { title: 'Delete the account', words: 'remove close', href: '/account/data' },
  { title: 'Work on apps with others', words: 'organization team members share', href: '/organizations' },
]

/** The texts of the search over everything. */
export const searchTexts = {
  title: 'Search everywhere',
  field: 'Search for pages, apps and help',
  placeholder: 'Pages, apps, settings, help…',
  results: 'Results',
  noMatch: (text: string) => `Nothing matches “${text}”`,
  loading: 'Still searching…',
  hint: 'Enter opens, Escape closes',
  groups: {
    recent: 'Recent',
    pages: 'Pages',
    apps: 'Apps',
    developer: 'Your apps',
    users: 'Users',
    settings: 'Settings',
    help: 'Help',
  },
  pages,
  administration,
  help,
} as const
