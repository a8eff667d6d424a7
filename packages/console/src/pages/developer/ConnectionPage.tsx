import { type AppPing, pingApp } from '../../api/developer.ts'
import { Button } from '../../components/Button.tsx'
import { CircleCheck, CircleDashed, CircleX, Info } from '../../components/icons.ts'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { Loading } from '../../components/States.tsx'
import { useAction } from '../../components/use-action.ts'
import styles from './ConnectionPage.module.css'
import { connectionTexts as texts } from './connection.texts.ts'
import { useDeveloperApp } from './developer-app.ts'

type Hop = AppPing['hops'][number]

const ICONS = { passed: CircleCheck, failed: CircleX, skipped: CircleDashed, info: Info } as const

/** Tests every hop between the cloud and the app, and says what to do about the one that fails. */
export function ConnectionPage() {
  const { packageName } = useDeveloperApp()
  const { run, isPending, result, error } = useAction(() => pingApp(packageName))
  return (
    <Card title={texts.title} description={texts.description}>
      <div className={styles.row}>
        <Button variant="primary" isPending={isPending} onPress={() => run()}>
          {result === undefined ? texts.start : texts.again}
        </Button>
        <LinkButton to="/glasses">{texts.glasses}</LinkButton>
      </div>
      {isPending && <Loading label={texts.running} />}
      {error !== undefined && <Notice tone="danger" title={error.message} />}
      {result !== undefined && <Result ping={result} />}
    </Card>
  )
}

function Result({ ping: { ok, failedHop, hops } }: { readonly ping: AppPing }) {
  return (
    <>
      {ok ? (
        <Notice tone="success" title={texts.works} />
      ) : (
        <Notice tone="danger" title={texts.fails(failedHop === undefined ? '' : texts.hops[failedHop])} />
      )}
      <ol className={styles.hops}>
        {hops.map((hop) => (
          <li key={hop.hop} className={styles[hop.status]}>
            <HopResult hop={hop} />
          </li>
        ))}
      </ol>
    </>
  )
}

function HopResult({ hop: { hop, status, message, action, durationMs } }: { readonly hop: Hop }) {
  const Icon = ICONS[status]
  return (
    <>
      <Icon aria-hidden />
      <div>
        <h3>{texts.hops[hop]}</h3>
        <p>
          <strong>{texts.statuses[status]}</strong>
          {status !== 'skipped' && <span className="muted"> {texts.duration(durationMs)}</span>}
        </p>
        <p>{message}</p>
        {action !== undefined && <p className={styles.action}>{texts.action(action)}</p>}
      </div>
    </>
  )
}
