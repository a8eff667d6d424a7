import { ApiError } from '../../api/api-error.ts'
import { type App, type AppAction, useAppAction } from '../../api/apps.ts'
import { useRunState } from '../../api/live-session.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { useAction } from '../../components/use-action.ts'
import { startFailures } from '../../start-failures.ts'
import styles from './AppActions.module.css'
import { NewPermissions } from './NewPermissions.tsx'

const texts = {
  noGlasses: {
    reason: 'No glasses are connected.',
    advice: 'Connect your phone, or wear simulated glasses, then start the app again.',
  },
  actionNames: { install: 'Install', start: 'Start', stop: 'Stop', uninstall: 'Uninstall' },
  done: {
    install: (name: string) => `${name} is installed`,
    uninstall: (name: string) => `${name} is uninstalled`,
    start: (name: string) => `${name} is running`,
    stop: (name: string) => `${name} has stopped`,
  },
} as const

export interface AppActionsProps {
  readonly app: Pick<App, 'packageName' | 'name' | 'is_running' | 'newPermissions'>
  readonly isInstalled: boolean
  /** Whether the app may be uninstalled here. */
  readonly canUninstall?: boolean
}

/** The buttons that install, start, stop and uninstall an app, and the reason if one of them failed. */
export function AppActions({ app, isInstalled, canUninstall = false }: AppActionsProps) {
  const perform = useAppAction(app.packageName)
  const { run, reset, isPending, input, error } = useAction(perform, {
    success: (_, action) => texts.done[action](app.name),
  })
  const state = useRunState(app.packageName, app.is_running)
  const main: AppAction = state !== 'stopped' ? 'stop' : isInstalled ? 'start' : 'install'

  return (
    <div className={styles.actions}>
      <Button
        variant={main === 'stop' ? 'secondary' : 'primary'}
        isPending={isPending}
        aria-label={`${texts.actionNames[main]} ${app.name}`}
        onPress={() => run(main)}
      >
        {texts.actionNames[main]}
      </Button>
      {canUninstall && isInstalled && (
        <ConfirmButton
          title={`Uninstall ${app.name}?`}
          description={<p>The app stops, and its settings are kept for the next time.</p>}
          confirmLabel="Uninstall"
          onConfirm={() => {
            reset()
            return perform('uninstall')
          }}
          success={texts.done.uninstall(app.name)}
        >
          Uninstall
        </ConfirmButton>
      )}
      <NewPermissions app={app} />
      {error !== undefined && <ActionFailure app={app} action={input} error={error} />}
    </div>
  )
}

interface ActionFailureProps {
  readonly app: Pick<App, 'name'>
  readonly action: AppAction | undefined
  readonly error: Error
}

/** Says why an action failed, and what to do. */
function ActionFailure({ app, action, error }: ActionFailureProps) {
  const explained = action === 'start' && error instanceof ApiError ? explainStart(error) : undefined
  if (explained === undefined) return <Notice tone="danger" title={error.message} />
  return (
    <>
      <Notice tone="danger" title={`${app.name} did not start`}>
        {explained.reason} {explained.advice}
      </Notice>
      {explained === texts.noGlasses && <LinkButton to="/glasses">Wear simulated glasses</LinkButton>}
    </>
  )
}

function explainStart(error: ApiError) {
  if (error.stage !== undefined) return startFailures[error.stage]
  return error.status === 401 ? texts.noGlasses : undefined
}
