import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { App } from '../../api/apps.ts'
import { liveSessionQuery, useRunState } from '../../api/live-session.ts'
import { Badge } from '../../components/Badge.tsx'
import { AppActions } from './AppActions.tsx'
import styles from './AppCard.module.css'
import { AppLogo } from './AppLogo.tsx'
import { describeCompatibility } from './describe-compatibility.ts'

const texts = { states: { starting: 'Starting', running: 'Running' } } as const

export interface AppCardProps {
  readonly app: App
  readonly isInstalled: boolean
}

/** An app in the store: what it is, its state, and what can be done with it. */
export function AppCard({ app, isInstalled }: AppCardProps) {
  const state = useRunState(app.packageName, app.is_running)
  const { data: session } = useQuery(liveSessionQuery)
  return (
    <article className={styles.card} aria-label={app.name}>
      <div className={styles.head}>
        <AppLogo url={app.logoURL} name={app.name} />
        <div className={styles.title}>
          <h2>
            <Link to="/store/$packageName" params={{ packageName: app.packageName }}>
              {app.name}
            </Link>
          </h2>
          <p className="muted">{`by ${app.orgName ?? app.developerProfile.company ?? app.packageName}`}</p>
        </div>
      </div>
      <p className={styles.description}>{app.description}</p>
      <p className={styles.badges}>
        {state !== 'stopped' && <Badge tone="success">{texts.states[state]}</Badge>}
        {isInstalled && state === 'stopped' && <Badge>Installed</Badge>}
        {app.featured && <Badge>Featured</Badge>}
        {!app.published && <Badge>Not published</Badge>}
        {!app.compatibility.isCompatible && <Badge tone="warning">Not compatible</Badge>}
      </p>
      {!app.compatibility.isCompatible && (
        <p className="muted">{describeCompatibility(app.compatibility, session?.glasses)}</p>
      )}
      <AppActions app={app} isInstalled={isInstalled} />
    </article>
  )
}
