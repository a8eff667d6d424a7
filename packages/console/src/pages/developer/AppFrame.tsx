import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useParams } from '@tanstack/react-router'
import { developerAppQuery } from '../../api/developer.ts'
import { LinkButton } from '../../components/Button.tsx'
import { type Crumb, Page } from '../../components/Page.tsx'
import { PageState } from '../../components/PageState.tsx'
import { AppLogo } from '../apps/AppLogo.tsx'
import { AppState } from './AppState.tsx'
import { DeveloperAppContext } from './developer-app.ts'
import { NewKey } from './NewKey.tsx'

const PARTS = [
  { path: '', to: '/developer/apps/$packageName', label: 'Overview' },
  { path: '/edit', to: '/developer/apps/$packageName/edit', label: 'Edit' },
  { path: '/keys', to: '/developer/apps/$packageName/keys', label: 'Keys' },
  { path: '/connection', to: '/developer/apps/$packageName/connection', label: 'Test connection' },
  { path: '/log', to: '/developer/apps/$packageName/log', label: 'Live log' },
  { path: '/usage', to: '/developer/apps/$packageName/usage', label: 'Usage' },
  { path: '/first-app', to: '/developer/apps/$packageName/first-app', label: 'First app' },
] as const

const BREADCRUMB: readonly Crumb[] = [{ to: '/developer', label: 'Developer' }]

/** The pages on which a key that was just made is shown until it is put away. */
const SHOWS_KEY: ReadonlySet<string> = new Set(['', '/keys', '/first-app'])

/** The frame of all pages about one app: its name and state, and links to its parts. */
export function AppFrame() {
  const { packageName } = useParams({ from: '/signed-in/developer/apps/$packageName' })
  const { pathname } = useLocation()
  const app = useQuery(developerAppQuery(packageName))
  const base = `/developer/apps/${encodeURIComponent(packageName)}`
  const part = PARTS.find(({ path }) => pathname.replace(/\/$/, '') === base + path)
  return (
    <PageState query={app} breadcrumb={BREADCRUMB}>
      {(loaded) => (
        <DeveloperAppContext value={loaded}>
          <Page
            title={loaded.name}
            part={part?.label}
            breadcrumb={BREADCRUMB}
            icon={<AppLogo key={loaded.logoURL} url={loaded.logoURL} name={loaded.name} />}
            badges={<AppState app={loaded} />}
            description={<code>{packageName}</code>}
            actions={
              <>
                <LinkButton to="/store/$packageName" params={{ packageName }}>
                  Open in the store
                </LinkButton>
                <LinkButton to="/glasses">Open glasses</LinkButton>
              </>
            }
            parts={{
              label: 'Parts of the app',
              links: PARTS.map(({ to, label }) => ({ to, params: { packageName }, label })),
            }}
          >
            {part !== undefined && SHOWS_KEY.has(part.path) && <NewKey />}
            <Outlet />
          </Page>
        </DeveloperAppContext>
      )}
    </PageState>
  )
}
