import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { settingsQuery, usersQuery } from '../api/administration.ts'
import { appsQuery } from '../api/apps.ts'
import { developerAppsQuery } from '../api/developer.ts'
import { type Candidate, prepare, rank } from './rank.ts'
import { searchTexts as texts } from './search.texts.ts'
import { useDebounced } from './use-debounced.ts'

/** Something that was found, with the page to which it leads. */
export interface SearchEntry extends Candidate {
  readonly href: string
  readonly detail?: string
}

export interface SearchGroup {
  readonly title: string
  readonly entries: readonly SearchEntry[]
}

const { groups: titles } = texts

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
    const pages = isAdministrator ? [...texts.pages, ...texts.administration] : texts.pages
    return [
      [titles.pages, prepare<SearchEntry>(pages)],
      [titles.apps, prepare<SearchEntry>((apps.data ?? []).map((app) => appEntry(app, '/store')))],
      [
        titles.developer,
        prepare<SearchEntry>((developerApps.data ?? []).map((app) => appEntry(app, '/developer/apps'))),
      ],
      [titles.settings, prepare<SearchEntry>((settings.data ?? []).map(settingEntry))],
      [titles.help, prepare<SearchEntry>(texts.help)],
    ] as const
  }, [apps.data, developerApps.data, settings.data, isAdministrator])

  const groups: SearchGroup[] = sources.map(([title, entries]) => ({
    title,
    entries: rank(entries, search, ENTRIES_PER_GROUP),
  }))
  const foundUsers = asksForUsers ? (users.data?.items ?? []) : []
  groups.splice(3, 0, {
    title: titles.users,
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
