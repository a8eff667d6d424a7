import { Link } from '@tanstack/react-router'
import { Badge } from '../../components/Badge.tsx'
import { Card } from '../../components/Page.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { AppActions } from '../apps/AppActions.tsx'
import { SearchableApps } from '../apps/SearchableApps.tsx'
import styles from './panels.module.css'
import type { GlassesApps } from './use-glasses-apps.ts'

/** The installed apps, to start and stop them without leaving the glasses. */
export function InstalledApps({ apps }: { readonly apps: GlassesApps | undefined }) {
  return (
    <Card title="Apps">
      {apps === undefined && <Skeleton shape="rows" />}
      {apps?.installed.length === 0 && <p>No app is installed.</p>}
      <SearchableApps label="Apps" apps={apps?.installed ?? []}>
        {(app) => (
          <>
            <span className={styles.row}>
              <strong>{app.name}</strong>
              {apps?.active.includes(app) && <Badge tone="success">Running</Badge>}
            </span>
            <AppActions app={app} isInstalled />
          </>
        )}
      </SearchableApps>
      <p>
        <Link to="/store">Find one in the store</Link>
      </p>
    </Card>
  )
}
