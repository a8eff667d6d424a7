import { type AppPing, pingApp } from '../../api/developer.ts'
import { Button, LinkButton } from '../../components/Button.tsx'
import { CircleCheck, CircleDashed, CircleX, Info } from '../../components/icons.ts'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { Loading } from '../../components/States.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatNumber } from '../../format.ts'
import styles from './ConnectionPage.module.css'
import { useDeveloperApp } from './developer-app.ts'

const STATUSES = {
  passed: 'Works',
  failed: 'Fails',
  skipped: 'Not tested',
  info: 'Works, with a remark',
} as const

const HOPS = {
  name: 'Name',
  address: 'Address',
  tls: 'TLS',
  webhook: 'Webhook',
  signature: 'Signature',
  socket: 'Socket',
  key: 'API key',
} as const

type Hop = AppPing['hops'][number]

const ICONS = { passed: CircleCheck, failed: CircleX, skipped: CircleDashed, info: Info } as const

/** Tests every hop between the cloud and the app, and says what to do about the one that fails. */
export function ConnectionPage() {
  const { packageName } = useDeveloperApp()
  const { run, isPending, result, error } = useAction(() => pingApp(packageName))
  return (
    <Card
      title="Test connection"
      description="Walks every hop between this cloud and the app server. To test the socket and the key, wear glasses, for example the simulated ones: they stay on while you use other pages."
    >
      <div className={styles.row}>
        <Button variant="primary" isPending={isPending} onPress={() => run()}>
          {result === undefined ? 'Test connection' : 'Test again'}
        </Button>
        <LinkButton to="/glasses">Open the simulated glasses</LinkButton>
      </div>
      {isPending && <Loading label="Testing; this takes up to 20 seconds…" />}
      {error !== undefined && <Notice tone="danger" title={error.message} />}
      {result !== undefined && <Result ping={result} />}
    </Card>
  )
}

function Result({ ping: { ok, failedHop, hops } }: { readonly ping: AppPing }) {
  return (
    <>
      {ok ? (
        <Notice tone="success" title="Everything that was tested works" />
      ) : (
        <Notice
          tone="danger"
          title={`The connection fails at: ${failedHop === undefined ? '' : HOPS[failedHop]}`}
        />
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
        <h3>{HOPS[hop]}</h3>
        <p>
          <strong>{STATUSES[status]}</strong>
          {status !== 'skipped' && <span className="muted"> in {formatNumber(durationMs)} ms</span>}
        </p>
        <p>{message}</p>
        {action !== undefined && <p className={styles.action}>What to do: {action}.</p>}
      </div>
    </>
  )
}
