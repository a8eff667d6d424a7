import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useMemo } from 'react'
import { type App, appsQuery, installedQuery } from '../../api/apps.ts'
import { liveSessionQuery } from '../../api/live-session.ts'
import { Button, LinkButton } from '../../components/Button.tsx'
import { Page } from '../../components/Page.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { SkipLink } from '../../components/SkipLink.tsx'
import { EmptyState, QueryState } from '../../components/States.tsx'
import { VirtualGrid } from '../../components/VirtualGrid.tsx'
import { formatNumber, plural } from '../../format.ts'
import { AppCard } from './AppCard.tsx'
import { AppFilterBar } from './AppFilterBar.tsx'
import styles from './AppsPage.module.css'
import { filterApps, sortApps, useAppFilters } from './app-filters.ts'
import { GlassesStatus } from './GlassesStatus.tsx'

/** Pixels of a card: at least its width, its height without notices, and the space between cards. */
const CARD = { minColumnWidth: 304, rowHeight: 224, gap: 16 }

/** The installed apps, if they could not be loaded. */
const NOTHING: ReadonlySet<string> = new Set()

/** Id of the element with the found apps. */
const APPS = 'apps'

/** The store: all apps that the user may see, with search and filters, which are part of the address. */
export function AppsPage() {
  const filters = useAppFilters()
  const apps = useQuery(appsQuery)
  const installed = useQuery(installedQuery)
  return (
    <Page title="Apps" description="Install apps and start them on your glasses.">
      <GlassesStatus />
      <SkipLink target={APPS}>Skip to the apps</SkipLink>
      <AppFilterBar filters={filters} />
      <QueryState query={apps} skeleton="cards">
        {(all) =>
          installed.isPending ? (
            <Skeleton shape="cards" />
          ) : (
            <Found all={all} installed={installed.data ?? NOTHING} filters={filters} />
          )
        }
      </QueryState>
    </Page>
  )
}

interface FoundProps {
  readonly all: readonly App[]
  /** Package names. */
  readonly installed: ReadonlySet<string>
  readonly filters: ReturnType<typeof useAppFilters>
}

function Found({ all, installed, filters }: FoundProps) {
  const { q, show, hardware, permission } = filters
  // Typing is answered before the list.
  const words = useDeferredValue(q)
  const { data: session } = useQuery(liveSessionQuery)
  const navigate = useNavigate({ from: '/store' })
  const sorted = useMemo(() => sortApps(all), [all])
  const found = useMemo(
    () =>
      filterApps(
        sorted,
        { q: words, show, hardware, permission },
        {
          isInstalled: (app) => installed.has(app.packageName),
          isRunning: (app) => session?.runningApps.includes(app.packageName) ?? app.is_running,
        },
      ),
    [sorted, words, show, hardware, permission, installed, session],
  )
  if (all.length === 0)
    return (
      <EmptyState title="No apps yet">
        <p>Developers publish apps for this cloud. Make the first one yourself.</p>
        <LinkButton to="/developer/first-app" variant="primary">
          Make an app
        </LinkButton>
      </EmptyState>
    )
  return (
    <div id={APPS} tabIndex={-1} className={styles.found}>
      <p className="muted" role="status">
        {found.length === all.length
          ? plural(all.length, { one: '1 app', other: `${formatNumber(all.length)} apps` })
          : `${formatNumber(found.length)} of ${plural(all.length, { one: '1 app', other: `${formatNumber(all.length)} apps` })}`}
      </p>
      {found.length === 0 ? (
        <EmptyState title="No app matches">
          <p>Change the search or the filters.</p>
          <Button onPress={() => void navigate({ search: {}, replace: true })}>Show all apps</Button>
        </EmptyState>
      ) : (
        <VirtualGrid label="Apps" items={found} keyOf={({ packageName }) => packageName} {...CARD}>
          {(app) => <AppCard app={app} isInstalled={installed.has(app.packageName)} />}
        </VirtualGrid>
      )}
    </div>
  )
}
