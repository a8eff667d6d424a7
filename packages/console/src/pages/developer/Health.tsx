import { useQuery } from '@tanstack/react-query'
import { latestAppLogQuery } from '../../api/app-log.ts'
import { keysQuery, usageQuery } from '../../api/developer.ts'
import { LinkButton } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { ErrorState } from '../../components/States.tsx'
import { formatNumber, formatTime, plural } from '../../format.ts'
import { judgeHealth } from './app-health.ts'
import { nameOfEntry } from './app-log-names.ts'
import styles from './developer.module.css'
import { useDeveloperApp } from './developer-app.ts'

const VERDICTS = {
  works: { title: 'The app works', hint: 'Its last start succeeded.' },
  worked: {
    title: 'The app worked when it was last used',
    hint: 'It was started in the last 7 days.',
  },
  noKey: {
    title: 'The app has no API key, so that it cannot connect',
    hint: 'Make a key, and start the app server with it.',
  },
  unsigned: {
    title: 'The cloud cannot sign its calls with a key of this app',
    hint: 'AUTH_SECRET of this cloud has changed since the keys were made. Make a new key, and start the app server with it.',
  },
  serverDown: {
    title: 'The cloud did not reach the app server at last',
    hint: 'Check that the server runs. The test of the connection finds the hop that fails.',
  },
  failed: {
    title: 'The last start failed',
    hint: 'The log says at which stage; the test of the connection finds the hop that fails.',
  },
  unknown: {
    title: 'The app was not started lately',
    hint: 'Test its connection, or start it on your glasses.',
  },
} as const

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
    <Card title="Does it work?">
      {health === undefined ? (
        error === null ? (
          <Skeleton shape="text" />
        ) : (
          <ErrorState error={error} />
        )
      ) : (
        <>
          <Notice tone={TONES[health.verdict]} title={VERDICTS[health.verdict].title}>
            {VERDICTS[health.verdict].hint}
          </Notice>
          <Facts health={health} isServerDown={app.isServerDown} />
        </>
      )}
      <div className={styles.row}>
        {needsKey ? (
          <LinkButton to="/developer/apps/$packageName/keys" params={params} variant="primary">
            Keys
          </LinkButton>
        ) : (
          <LinkButton to="/developer/apps/$packageName/connection" params={params} variant="primary">
            Test connection
          </LinkButton>
        )}
        <LinkButton to="/developer/apps/$packageName/log" params={params}>
          Live log
        </LinkButton>
        <LinkButton to="/developer/apps/$packageName/usage" params={params}>
          Usage
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
  const reached = wasReached ? 'Reached at the last call' : 'Not called in the last day'
  const { packageName, publicUrl } = useDeveloperApp()
  return (
    <dl className={styles.facts}>
      <div>
        <dt>App server</dt>
        <dd>
          <code>{publicUrl}</code>
        </dd>
        <dd className="muted">{isServerDown ? 'Not reached at the last call' : reached}</dd>
      </div>
      <div>
        <dt>Last start</dt>
        <dd>{lastStart === undefined ? 'None in the last day' : nameOfEntry(lastStart)}</dd>
        {lastStart !== undefined && <dd className="muted">{formatTime(lastStart.at)}</dd>}
      </div>
      <div>
        <dt>Last error</dt>
        <dd>
          {lastError === undefined ? 'None in the last day' : (lastError.message ?? nameOfEntry(lastError))}
        </dd>
        {lastError !== undefined && (
          <dd>
            <LinkButton
              to="/developer/apps/$packageName/log"
              params={{ packageName }}
              search={{ kind: 'error' }}
              variant="quiet"
            >
              See errors
            </LinkButton>
          </dd>
        )}
      </div>
      <div>
        <dt>Sessions in the last 7 days</dt>
        <dd>{plural(sessions, { one: '1 session', other: `${formatNumber(sessions)} sessions` })}</dd>
        {users > 0 && (
          <dd className="muted">
            {plural(users, {
              one: 'At most 1 user a day',
              other: `At most ${formatNumber(users)} users a day`,
            })}
          </dd>
        )}
      </div>
    </dl>
  )
}
