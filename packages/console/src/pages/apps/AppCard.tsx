import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { App } from '../../api/apps.ts'
import { liveSessionQuery } from '../../api/live-session.ts'
import { AppActions } from './AppActions.tsx'
import { AppBadges } from './AppBadges.tsx'
import styles from './AppCard.module.css'
import { AppLogo } from './AppLogo.tsx'
import { describeCompatibility } from './describe-compatibility.ts'

export interface AppCardProps {
  readonly app: App
  readonly isInstalled: boolean
}

/** An app in the store: what it is, its state, and what can be done with it. */
export function AppCard({ app, isInstalled }: AppCardProps) {
  const { data: session } = useQuery(liveSessionQuery)
  const { isCompatible } = app.compatibility
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
          <p className={`muted ${styles.by}`}>by {developerOf(app)}</p>
        </div>
      </div>
      <div className={styles.text}>
        <p className={isCompatible ? styles.long : styles.short}>{app.description}</p>
        {!isCompatible && (
          <p className={styles.incompatible}>{describeCompatibility(app.compatibility, session?.glasses)}</p>
        )}
      </div>
      <div className={styles.foot}>
        <AppActions app={app} isInstalled={isInstalled} />
        <p className={styles.badges}>
          <AppBadges app={app} isInstalled={isInstalled} />
        </p>
      </div>
    </article>
  )
}

/** Names who made an app. */
export function developerOf(app: Pick<App, 'orgName' | 'developerProfile' | 'packageName'>): string {
  return app.orgName ?? app.developerProfile.company ?? app.packageName
}
