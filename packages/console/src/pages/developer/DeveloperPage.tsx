import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { type DeveloperApp, developerAppsQuery } from '../../api/developer.ts'
import { LinkButton } from '../../components/Button.tsx'
import { Page } from '../../components/Page.tsx'
import { Pager, pageOfRows, usePager } from '../../components/Pager.tsx'
import { Select } from '../../components/Select.tsx'
import { EmptyState, QueryState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { SearchField } from '../../components/TextField.tsx'
import { formatNumber, formatTime, plural } from '../../format.ts'
import { containsWords } from '../../search-words.ts'
import { useUrlChoice, useUrlText } from '../../url-state.ts'
import { AppLogo } from '../apps/AppLogo.tsx'
import { AppState } from './AppState.tsx'
import styles from './developer.module.css'

const FILTER_NAMES = {
  all: 'All apps',
  PUBLISHED: 'Published',
  SUBMITTED: 'In review',
  REJECTED: 'Rejected',
  DEVELOPMENT: 'In development',
  down: 'Server not reached',
} as const

/** Rows of a page of the table. */
const PAGE_SIZE = 50

type Filter = keyof typeof FILTER_NAMES
const FILTERS = ['all', 'PUBLISHED', 'SUBMITTED', 'REJECTED', 'DEVELOPMENT', 'down'] as const
const OPTIONS = FILTERS.map((value) => ({ value, label: FILTER_NAMES[value] }))

const COLUMNS: readonly Column<DeveloperApp>[] = [
  {
    id: 'name',
    label: 'App',
    render: ({ packageName, name, logoURL }) => (
      <div className={styles.app}>
        <AppLogo url={logoURL} name={name} />
        <div className={styles.stack}>
          <Link to="/developer/apps/$packageName" params={{ packageName }}>
            {name}
          </Link>
          <code className="muted">{packageName}</code>
        </div>
      </div>
    ),
  },
  { id: 'state', label: 'State', render: (app) => <AppState app={app} /> },
  { id: 'owner', label: 'Owner', render: ({ orgName }) => orgName ?? 'You' },
  {
    id: 'changed',
    label: 'Changed',
    render: ({ updatedAt }) => <time dateTime={updatedAt}>{formatTime(updatedAt)}</time>,
  },
]

/** The apps of the user and of the user's organizations. */
export function DeveloperPage() {
  const apps = useQuery(developerAppsQuery)
  const hasApps = apps.data?.length !== 0
  return (
    <Page
      title="Developer"
      description="The apps that you and your organizations make."
      actions={
        hasApps ? (
          <>
            <LinkButton to="/developer/first-app">Your first app</LinkButton>
            <LinkButton to="/developer/new" variant="primary">
              Create an app
            </LinkButton>
          </>
        ) : (
          <LinkButton to="/developer/new">Create an app</LinkButton>
        )
      }
    >
      <QueryState query={apps} skeleton="rows">
        {(own) =>
          own.length === 0 ? (
            <EmptyState title="No apps yet">
              <p>Make your first app: it takes a browser, an editor and ten minutes.</p>
              <LinkButton to="/developer/first-app" variant="primary">
                Your first app
              </LinkButton>
            </EmptyState>
          ) : (
            <Apps apps={own} />
          )
        }
      </QueryState>
    </Page>
  )
}

function Apps({ apps }: { readonly apps: readonly DeveloperApp[] }) {
  const [search, setSearch] = useUrlText('q')
  const [filter, setFilter] = useUrlChoice('show', FILTERS)
  const q = useDeferredValue(search)
  const found = apps.filter((app) => isShown(app, filter) && containsWords(textOf(app), q))
  const pager = usePager(`${filter} ${q}`)
  const { items, next } = pageOfRows(found, pager.cursor, PAGE_SIZE)
  return (
    <>
      <div className={styles.bar}>
        <SearchField label="Search by name, package or owner" value={search} onChange={setSearch} />
        <Select label="Show" options={OPTIONS} value={filter} onChange={setFilter} />
        <p role="status" className="muted">
          {plural(found.length, { one: '1 app', other: `${formatNumber(found.length)} apps` })}
        </p>
      </div>
      {items.length === 0 ? (
        <EmptyState title="No app matches">
          <p>Change the search, or show all apps.</p>
        </EmptyState>
      ) : (
        <Table label="Your apps" columns={COLUMNS} rows={items} keyOf={({ packageName }) => packageName} />
      )}
      <Pager pager={pager} next={next} />
    </>
  )
}

function isShown({ appStoreStatus, isServerDown }: DeveloperApp, filter: Filter): boolean {
  if (filter === 'all') return true
  return filter === 'down' ? isServerDown : appStoreStatus === filter
}

/** What the table shows of an app. */
function textOf({ name, packageName, orgName = 'You' }: DeveloperApp): string {
  return `${name} ${packageName} ${orgName}`
}
