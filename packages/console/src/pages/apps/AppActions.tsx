import styles from './AppActions.module.css'
import { AppButtons } from './AppButtons.tsx'
import { AppNotices } from './AppNotices.tsx'
import { type ControlledApp, useAppControls } from './use-app-controls.ts'

export interface AppActionsProps {
  readonly app: ControlledApp
  readonly isInstalled: boolean
  /** Whether it is the main action of the page. */
  readonly isMain?: boolean
  /** Whether the page shows by itself what was done, without a message. */
  readonly isQuiet?: boolean
}

/** The button that installs, starts or stops an app, and the reason if that failed. */
export function AppActions({ app, isInstalled, isMain = false, isQuiet = false }: AppActionsProps) {
  const controls = useAppControls(app, isInstalled, isQuiet)
  return (
    <div className={styles.actions}>
      <AppButtons controls={controls} isMain={isMain} />
      <AppNotices controls={controls} />
    </div>
  )
}
