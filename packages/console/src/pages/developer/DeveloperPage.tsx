import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type DeveloperApp, developerAppsQuery } from '../../api/developer.ts'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Page } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { EmptyState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { formatTime } from '../../format.ts'
import { AppState } from './AppState.tsx'

const COLUMNS: readonly Column<DeveloperApp>[] = [
  {
    id: 'name',
    label: 'App',
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
  return (
    <Page
      title="Developer"
      description="The apps that you and your organizations make."
      actions={
        <>
          <LinkButton to="/developer/first-app">Your first app</LinkButton>
          <LinkButton to="/developer/new" variant="primary">
            Create an app
          </LinkButton>
        </>
      }
    >
      <QueryState query={apps}>
        {(own) =>
          own.length === 0 ? (
            <EmptyState title="No apps yet">
              <p>Make your first app: it takes a browser, an editor and ten minutes.</p>
              <LinkButton to="/developer/first-app" variant="primary">
                Your first app
              </LinkButton>
            </EmptyState>
          ) : (
            <Table label="Your apps" columns={COLUMNS} rows={own} keyOf={({ packageName }) => packageName} />
          )
        }
      </QueryState>
    </Page>
  )
}
