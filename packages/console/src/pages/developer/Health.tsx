import { useQuery } from '@tanstack/react-query'
import { latestAppLogQuery } from '../../api/app-log.ts'
import { keysQuery, usageQuery } from '../../api/developer.ts'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { ErrorState } from '../../components/States.tsx'
import { formatTime } from '../../format.ts'
import { judgeHealth } from './app-health.ts'
import { nameOfEntry } from './app-log-names.ts'
import styles from './developer.module.css'
import { useDeveloperApp } from './developer-app.ts'
import { overviewTexts } from './overview.texts.ts'

const { health: texts } = overviewTexts

const DAYS = 7

const TONES = {
  works: 'success',
  worked: 'success',
  noKey: 'danger',
  unsigned: 'danger',
  serverDown: 'danger',
  failed: 'danger',
  unknown: 'warning',
} as const

/** Whether the app works, why not, and where to look. */
export function Health() {
  const app = useDeveloperApp()
  const { packageName } = app
  const [keys, log, usage] = [
    useQuery(keysQuery(packageName)),
    useQuery(latestAppLogQuery(packageName)),
    useQuery(usageQuery(packageName, DAYS)),
  ]
  const error = keys.error ?? log.error ?? usage.error
  const isLoaded = keys.data !== undefined && log.data !== undefined && usage.data !== undefined
  const health = isLoaded ? judgeHealth(app, keys.data, log.data, usage.data.days) : undefined
  const needsKey = health?.verdict === 'noKey' || health?.verdict === 'unsigned'
  const params = { packageName }
  return (
    <Card title={texts.title}>
      {health === undefined ? (
        error === null ? (
          <Skeleton shape="text" />
        ) : (
          <ErrorState error={error} />
        )
      ) : (
        <>
          <Notice tone={TONES[health.verdict]} title={texts.verdicts[health.verdict].title}>
            {texts.verdicts[health.verdict].hint}
          </Notice>
          <Facts health={health} isServerDown={app.isServerDown} />
        </>
      )}
      <div className={styles.row}>
        {needsKey ? (
          <LinkButton to="/developer/apps/$packageName/keys" params={params} variant="primary">
            {texts.keys}
          </LinkButton>
        ) : (
          <LinkButton to="/developer/apps/$packageName/connection" params={params} variant="primary">
            {texts.test}
          </LinkButton>
        )}
        <LinkButton to="/developer/apps/$packageName/log" params={params}>
          {texts.log}
        </LinkButton>
        <LinkButton to="/developer/apps/$packageName/usage" params={params}>
          {texts.usage}
        </LinkButton>
      </div>
    </Card>
  )
}

interface FactsProps {
  readonly health: ReturnType<typeof judgeHealth>
  readonly isServerDown: boolean
}

function Facts({ health, isServerDown }: FactsProps) {
  const { lastStart, lastError, wasReached, sessions, users } = health
  const reached = wasReached ? texts.reached : texts.notCalled
  const { packageName, publicUrl } = useDeveloperApp()
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{texts.server}</dt>
        <dd>
          <code>{publicUrl}</code>
        </dd>
        <dd className="muted">{isServerDown ? texts.notReached : reached}</dd>
      </div>
      <div>
        <dt>{texts.lastStart}</dt>
        <dd>{lastStart === undefined ? texts.noStart : nameOfEntry(lastStart)}</dd>
        {lastStart !== undefined && <dd className="muted">{formatTime(lastStart.at)}</dd>}
      </div>
      <div>
        <dt>{texts.lastError}</dt>
        <dd>{lastError === undefined ? texts.noError : (lastError.message ?? nameOfEntry(lastError))}</dd>
        {lastError !== undefined && (
          <dd>
            <LinkButton
              to="/developer/apps/$packageName/log"
              params={{ packageName }}
              search={{ kind: 'error' }}
              variant="quiet"
            >
              {texts.errors}
            </LinkButton>
          </dd>
        )}
      </div>
      <div>
        <dt>{texts.sessions}</dt>
        <dd>{texts.sessionCount(sessions)}</dd>
        {users > 0 && <dd className="muted">{texts.users(users)}</dd>}
      </div>
    </dl>
  )
}
