import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { type DeveloperApp, developerAppsQuery } from '../../api/developer.ts'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Page } from '../../components/Page.tsx'
import { Pager } from '../../components/Pager.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { Select } from '../../components/Select.tsx'
import { EmptyState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { pageOfRows, usePager } from '../../components/use-pager.ts'
import { formatTime } from '../../format.ts'
import { containsWords } from '../../search-words.ts'
import { useUrlChoice, useUrlText } from '../../url-state.ts'
import { AppLogo } from '../apps/AppLogo.tsx'
import { AppState } from './AppState.tsx'
import styles from './developer.module.css'
import { developerTexts as texts } from './developer.texts.ts'

/** Rows of a page of the table. */
const PAGE_SIZE = 50

type Filter = keyof typeof texts.filters
const FILTERS = ['all', 'PUBLISHED', 'SUBMITTED', 'REJECTED', 'DEVELOPMENT', 'down'] as const
const OPTIONS = FILTERS.map((value) => ({ value, label: texts.filters[value] }))

const COLUMNS: readonly Column<DeveloperApp>[] = [
  {
    id: 'name',
    label: texts.columns.app,
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
  { id: 'state', label: texts.columns.state, render: (app) => <AppState app={app} /> },
  { id: 'owner', label: texts.columns.owner, render: ({ orgName }) => orgName ?? texts.you },
  {
    id: 'changed',
    label: texts.columns.changed,
    render: ({ updatedAt }) => <time dateTime={updatedAt}>{formatTime(updatedAt)}</time>,
  },
]

/** The apps of the user and of the user's organizations. */
export function DeveloperPage() {
  const apps = useQuery(developerAppsQuery)
  const hasApps = apps.data?.length !== 0
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={
        hasApps ? (
          <>
            <LinkButton to="/developer/first-app">{texts.firstApp}</LinkButton>
            <LinkButton to="/developer/new" variant="primary">
              {texts.create}
            </LinkButton>
          </>
        ) : (
          <LinkButton to="/developer/new">{texts.create}</LinkButton>
        )
      }
    >
      <QueryState query={apps} skeleton="rows">
        {(own) =>
          own.length === 0 ? (
            <EmptyState title={texts.empty.title}>
              <p>{texts.empty.hint}</p>
              <LinkButton to="/developer/first-app" variant="primary">
                {texts.firstApp}
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
        <SearchField label={texts.search} value={search} onChange={setSearch} />
        <Select label={texts.filter} options={OPTIONS} value={filter} onChange={setFilter} />
        <p role="status" className="muted">
          {texts.count(found.length)}
        </p>
      </div>
      {items.length === 0 ? (
        <EmptyState title={texts.noMatch.title}>
          <p>{texts.noMatch.hint}</p>
        </EmptyState>
      ) : (
        <Table label={texts.table} columns={COLUMNS} rows={items} keyOf={({ packageName }) => packageName} />
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
function textOf({ name, packageName, orgName = texts.you }: DeveloperApp): string {
  return `${name} ${packageName} ${orgName}`
}
