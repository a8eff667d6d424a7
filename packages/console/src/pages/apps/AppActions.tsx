import { ApiError } from '../../api/api-error.ts'
import { type App, type AppAction, useAppAction } from '../../api/apps.ts'
import { useRunState } from '../../api/live-session.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { useAction } from '../../components/use-action.ts'
import { apps as texts } from '../../texts/apps.ts'
import { startFailures } from '../../texts/start-failures.ts'
import styles from './AppActions.module.css'

export interface AppActionsProps {
  readonly app: Pick<App, 'packageName' | 'name' | 'is_running'>
  readonly isInstalled: boolean
  /** Whether the app may be uninstalled here. */
  readonly canUninstall?: boolean
}

/** The buttons that install, start, stop and uninstall an app, and the reason if one of them failed. */
export function AppActions({ app, isInstalled, canUninstall = false }: AppActionsProps) {
  const perform = useAppAction(app.packageName)
  const { run, isPending, input, error } = useAction(perform, {
    success: (_, action) => texts.done[action](app.name),
  })
  const state = useRunState(app.packageName, app.is_running)
  const main: AppAction = state !== 'stopped' ? 'stop' : isInstalled ? 'start' : 'install'

  return (
    <div className={styles.actions}>
      <Button
        variant={main === 'stop' ? 'secondary' : 'primary'}
        isPending={isPending}
        aria-label={`${texts[main]} ${app.name}`}
        onPress={() => run(main)}
      >
        {texts[main]}
      </Button>
      {canUninstall && isInstalled && (
        <ConfirmButton
          title={texts.uninstallQuestion(app.name)}
          description={<p>{texts.uninstallHint}</p>}
          confirmLabel={texts.uninstall}
          onConfirm={() => perform('uninstall')}
          success={texts.done.uninstall(app.name)}
        >
          {texts.uninstall}
        </ConfirmButton>
      )}
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
      <Notice tone="danger" title={texts.startFailed(app.name)}>
        {explained.reason} {explained.advice}
      </Notice>
      {explained === texts.noGlasses && <LinkButton to="/glasses">{texts.glasses.simulate}</LinkButton>}
    </>
  )
}

function explainStart(error: ApiError) {
  if (error.stage !== undefined) return startFailures[error.stage]
  return error.status === 401 ? texts.noGlasses : undefined
}
