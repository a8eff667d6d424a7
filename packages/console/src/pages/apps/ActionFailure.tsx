import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import type { AppAction } from '../../api/app-actions.ts'
import { failedStartQuery } from '../../api/app-log.ts'
import type { App } from '../../api/apps.ts'
import { developerAppsQuery } from '../../api/developer.ts'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { startFailures } from '../../start-failures.ts'
import styles from './ActionFailure.module.css'
import { startFailureTexts as texts } from './start-failure.texts.ts'
import { appTexts } from './texts.ts'

/** Stages at which a start fails for reasons of the wearer, not of the app server. */
const STAGES_OF_WEARER = ['HARDWARE_CHECK', 'STOPPED']

export interface ActionFailureProps {
  readonly app: Pick<App, 'packageName' | 'name'>
  readonly action: AppAction | undefined
  readonly error: Error
}

/** Says why an action failed, and what to do: in the words of wearers, or of developers of the app. */
export function ActionFailure({ app, action, error }: ActionFailureProps) {
  if (action !== 'start' || !(error instanceof ApiError))
    return <Notice tone="danger" title={error.message} />
  const { stage, code, status } = error
  if (stage === undefined && status !== 401) return <Notice tone="danger" title={error.message} />
  if (stage === undefined)
    return (
      <Notice tone="danger" title={appTexts.didNotStart(app.name)}>
        <p>{`${appTexts.noGlasses.reason} ${appTexts.noGlasses.advice}`}</p>
        <LinkButton to="/glasses">{appTexts.wearSimulated}</LinkButton>
      </Notice>
    )
  return <StartFailure app={app} stage={stage} code={code ?? stage} message={error.message} />
}

interface StartFailureProps extends Pick<ActionFailureProps, 'app'> {
  readonly stage: string
  readonly code: string
  readonly message: string
}

function StartFailure({ app, stage, code, message }: StartFailureProps) {
  const isOfWearer = STAGES_OF_WEARER.includes(stage)
  const { data: own, isLoading } = useQuery({ ...developerAppsQuery, enabled: !isOfWearer })
  const { packageName, name } = app
  const isOwn = !isOfWearer && own?.some((each) => each.packageName === packageName) === true
  const { data: entry, isLoading: isEntryLoading } = useQuery({
    ...failedStartQuery(packageName, stage, code),
    enabled: isOwn,
  })
  // What is announced does not change afterwards.
  if (isLoading || isEntryLoading) return null
  const params = { packageName }
  const title = appTexts.didNotStart(name)
  if (!isOwn) {
    const explained = startFailures[stage]
    return (
      <Notice tone="danger" title={title}>
        {explained === undefined ? message : `${explained.reason} ${explained.advice}`}
      </Notice>
    )
  }
  return (
    <Notice tone="danger" title={title}>
      <dl className={styles.facts}>
        <dt>{texts.stage}</dt>
        <dd>{texts.stages[stage] ?? stage}</dd>
        <dt>{texts.reason}</dt>
        <dd>{texts.reasonOf(code)}</dd>
      </dl>
      <div className={styles.links}>
        <LinkButton
          to="/developer/apps/$packageName/log"
          params={params}
          search={entry == null ? { kind: 'error' } : { entry }}
        >
          {texts.openLog}
        </LinkButton>
        <LinkButton to="/developer/apps/$packageName/connection" params={params}>
          {texts.testConnection}
        </LinkButton>
      </div>
    </Notice>
  )
}
