import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { settingsQuery, usersQuery } from '../api/administration.ts'
import { appsQuery } from '../api/apps.ts'
import { developerAppsQuery } from '../api/developer.ts'
import { type Candidate, prepare, rank } from './rank.ts'

/** Something that was found, with the page to which it leads. */
export interface SearchEntry extends Candidate {
  readonly href: string
  readonly detail?: string
}

export interface SearchGroup {
  readonly title: string
  readonly entries: readonly SearchEntry[]
}

/** Pages of the console, with other words for them. */
export const PAGES: readonly SearchEntry[] = [
  { title: 'Apps', words: 'store install start', href: '/store' },
  { title: 'Glasses', words: 'simulator simulated lens speak microphone inspector', href: '/glasses' },
  {
    title: 'Connect your glasses',
    words: 'real phone address qr code even realities g1 g2 brilliant frame halo https',
    href: '/glasses/connect',
  },
  {
    title: 'My glasses',
    words: 'real even realities g1 brilliant frame halo bluetooth arms connect pocket',
    href: '/glasses/mine',
  },
  {
    title: 'Glasses through the Mentra app',
    words: 'bridge mini app qr code phone g1 z100 mach real',
    href: '/glasses/bridge',
  },
  { title: 'Gallery', words: 'photos pictures recordings', href: '/gallery' },
  { title: 'First steps', words: 'welcome', href: '/welcome' },
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

const ADMINISTRATION: readonly SearchEntry[] = [
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

const HELP: readonly SearchEntry[] = [
  {
    title: 'Test whether a phone reaches this cloud',
    words: 'address server url qr',
    href: '/glasses/connect?glasses=g2',
  },
  { title: 'Connect an Even G1', words: 'bluetooth arms pairing', href: '/glasses/connect?glasses=g1' },
  { title: 'Connect an Even G2', words: 'even app hub scan code', href: '/glasses/connect?glasses=g2' },
  {
    title: 'Connect a Brilliant Frame or Halo',
    words: 'bluetooth brilliant labs',
    href: '/glasses/connect?glasses=frame',
  },
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

const ENTRIES_PER_GROUP = 6

/** Pause in ms in which nothing is typed before the cloud is asked. */
const DEBOUNCE_MS = 250

interface Found {
  readonly groups: readonly SearchGroup[]
  readonly isLoading: boolean
}

/** Searches everything that the user may open. Users are searched by the cloud, everything else here. */
export function useSearch(search: string, { isAdministrator }: { readonly isAdministrator: boolean }): Found {
  const apps = useQuery(appsQuery)
  const developerApps = useQuery(developerAppsQuery)
  const settings = useQuery({ ...settingsQuery, enabled: isAdministrator })
  const q = useDebounced(search.trim(), DEBOUNCE_MS)
  const asksForUsers = isAdministrator && q !== ''
  const users = useQuery({
    ...usersQuery({ q, suspended: undefined, cursor: undefined }),
    enabled: asksForUsers,
  })

  const sources = useMemo(() => {
    const pages = isAdministrator ? [...PAGES, ...ADMINISTRATION] : PAGES
    return [
      ['Pages', prepare<SearchEntry>(pages)],
      ['Apps', prepare<SearchEntry>((apps.data ?? []).map((app) => appEntry(app, '/store')))],
      [
        'Your apps',
        prepare<SearchEntry>((developerApps.data ?? []).map((app) => appEntry(app, '/developer/apps'))),
      ],
      ['Settings', prepare<SearchEntry>((settings.data ?? []).map(settingEntry))],
      ['Help', prepare<SearchEntry>(HELP)],
    ] as const
  }, [apps.data, developerApps.data, settings.data, isAdministrator])

  const groups: SearchGroup[] = sources.map(([title, entries]) => ({
    title,
    entries: rank(entries, search, ENTRIES_PER_GROUP),
  }))
  const foundUsers = asksForUsers ? (users.data?.items ?? []) : []
  groups.splice(3, 0, {
    title: 'Users',
    entries: foundUsers.slice(0, ENTRIES_PER_GROUP).map(userEntry),
  })
  return {
    groups: groups.filter(({ entries }) => entries.length > 0),
    isLoading: [apps, developerApps, settings, users].some(({ isLoading }) => isLoading),
  }
}

function appEntry({ name, packageName }: { name: string; packageName: string }, folder: string): SearchEntry {
  return {
    title: name,
    words: packageName,
    detail: packageName,
    href: `${folder}/${encodeURIComponent(packageName)}`,
  }
}

function settingEntry({ name, description }: { name: string; description: string }): SearchEntry {
  return { title: name, words: description, href: `/admin/settings?q=${encodeURIComponent(name)}` }
}

function userEntry({ email }: { email: string }): SearchEntry {
  return { title: email, words: '', href: `/admin?q=${encodeURIComponent(email)}` }
}

/** Returns a value once it has not changed for a time in ms. */
function useDebounced<Value>(value: Value, delayMs: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
