import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type DeveloperApp, developerAppsQuery } from '../../api/developer.ts'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Page } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { EmptyState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { developer as texts } from '../../texts/developer.ts'
import { formatTime } from '../../texts/format.ts'
import { AppState } from './AppState.tsx'

const COLUMNS: readonly Column<DeveloperApp>[] = [
  {
    id: 'name',
    label: texts.list.columns.name,
    render: ({ packageName, name }) => (
      <>
        <Link to="/developer/apps/$packageName" params={{ packageName }}>
          {name}
        </Link>
        <br />
        <code className="muted">{packageName}</code>
      </>
    ),
  },
  { id: 'state', label: texts.list.columns.state, render: (app) => <AppState app={app} /> },
  { id: 'owner', label: texts.list.columns.owner, render: ({ orgName }) => orgName ?? texts.myself },
  {
    id: 'changed',
    label: texts.list.columns.changed,
    render: ({ updatedAt }) => <time dateTime={updatedAt}>{formatTime(updatedAt)}</time>,
  },
]

/** The apps of the user and of the user's organizations. */
export function DeveloperPage() {
  const apps = useQuery(developerAppsQuery)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={
        <>
          <LinkButton to="/developer/first-app">{texts.first.link}</LinkButton>
          <LinkButton to="/developer/new" variant="primary">
            {texts.create.title}
          </LinkButton>
        </>
      }
    >
      <QueryState query={apps}>
        {(own) =>
          own.length === 0 ? (
            <EmptyState title={texts.list.empty.title}>
              <p>{texts.list.empty.hint}</p>
              <LinkButton to="/developer/first-app" variant="primary">
                {texts.first.link}
              </LinkButton>
            </EmptyState>
          ) : (
            <Table
              label={texts.list.label}
              columns={COLUMNS}
              rows={own}
              keyOf={({ packageName }) => packageName}
            />
          )
        }
      </QueryState>
    </Page>
  )
}
