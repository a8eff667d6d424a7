import { type ReactNode, useId } from 'react'
import { Button } from '../../components/Button.tsx'
import { formatList } from '../../format.ts'
import styles from './AppActions.module.css'
import type { AppControls } from './use-app-controls.ts'

const ACTIONS = { install: 'Install', start: 'Start', stop: 'Stop', uninstall: 'Uninstall' } as const

export interface AppButtonsProps {
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
