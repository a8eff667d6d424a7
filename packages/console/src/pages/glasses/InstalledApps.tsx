import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { appsQuery, installedQuery } from '../../api/apps.ts'
import { reload } from '../../api/reload.ts'
import { Badge } from '../../components/Badge.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import type { SimulatorState } from '../../simulator/simulator.ts'
import { AppActions } from '../apps/AppActions.tsx'
import styles from './GlassesPage.module.css'

/** Messages after which the list of apps has changed. */
const CHANGES: ReadonlySet<string> = new Set(['app_started', 'app_stopped', 'app_state_change'])

/** The installed apps, to start and stop them without leaving the glasses. */
export function InstalledApps({ state }: { readonly state: SimulatorState }) {
  const apps = useQuery(appsQuery)
  const installed = useQuery(installedQuery)
  const queryClient = useQueryClient()
  const lastChange = state.frames.findLast(({ type }) => CHANGES.has(type))?.id
  useEffect(() => {
    if (lastChange !== undefined) void reload(queryClient, appsQuery)
  }, [queryClient, lastChange])
  return (
    <Card title="Apps">
      <QueryState query={apps}>
        {(all) => {
          const own = all.filter(({ packageName }) => installed.data?.has(packageName))
          if (own.length === 0)
            return (
              <p>
                No app is installed. <Link to="/store">Find one in the store</Link>
              </p>
            )
          return (
            <ul className={styles.list}>
              {own.map((app) => (
                <li key={app.packageName}>
                  <span className={styles.row}>
                    <strong>{app.name}</strong>
                    {app.is_running && <Badge tone="success">Running</Badge>}
                  </span>
                  <AppActions app={app} isInstalled />
                </li>
              ))}
            </ul>
          )
        }}
      </QueryState>
    </Card>
  )
}
