import { type ReactNode, useId } from 'react'
import { Button } from '../../components/Button.tsx'
import { formatList } from '../../format.ts'
import { ActionFailure } from './ActionFailure.tsx'
import styles from './AppActions.module.css'
import { NewPermissions } from './NewPermissions.tsx'
import { type AppControls, type ControlledApp, useAppControls } from './use-app-controls.ts'

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

const ACTIONS = { install: 'Install', start: 'Start', stop: 'Stop', uninstall: 'Uninstall' } as const

interface AppButtonsProps {
  readonly controls: AppControls
  /** Whether installing or starting is the main action of the page. */
  readonly isMain?: boolean
  /** Further buttons. */
  readonly children?: ReactNode
}

/** The button that installs, starts or stops an app, with what else that stops. */
export function AppButtons({ controls, isMain = false, children }: AppButtonsProps) {
  const { app, main, stops, isPending, run } = controls
  const hint = useId()
  return (
    <div className={styles.buttons}>
      <Button
        variant={isMain && main !== 'stop' ? 'primary' : 'secondary'}
        isPending={isPending}
        aria-label={`${ACTIONS[main]} ${app.name}`}
        aria-describedby={stops.length > 0 ? hint : undefined}
        onPress={() => run(main)}
      >
        {ACTIONS[main]}
      </Button>
      {stops.length > 0 && (
        <span id={hint} className="muted">
          Stops {formatList(stops)}
        </span>
      )}
      {children}
    </div>
  )
}

/** What an app asks for, and why its last action failed. */
export function AppNotices({ controls: { app, input, error } }: { readonly controls: AppControls }) {
  return (
    <>
      <NewPermissions app={app} />
      {error !== undefined && <ActionFailure app={app} action={input} error={error} />}
    </>
  )
}
