import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'
import { Badge } from '../../components/Badge.tsx'
import { CopyField } from '../../components/CopyField.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card, Page } from '../../components/Page.tsx'
import { QrCode } from '../../components/QrCode.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import styles from './bridge.module.css'
import { bridgeTexts as texts } from './bridge.texts.ts'
import { installationCode } from './installation-code.ts'

/** The mini app that the cloud serves: its manifest, and the hash of its archive. */
const miniAppQuery = queryOptions({
  queryKey: ['bridge'],
  queryFn: async ({ signal }) => {
    const [manifest, sum] = await Promise.all([
      unwrap(api.GET('/glasses/bridge/miniapp.json', { signal })),
      unwrap(api.GET('/glasses/bridge/bundle.zip.sha256', { signal, parseAs: 'text' })),
    ])
    const [sha256 = ''] = sum.split(' ')
    return { ...manifest, sha256 }
  },
})

/** How glasses of the Mentra app are worn with this cloud: the code that installs its mini app, and the steps. */
export function BridgePage() {
  const query = useQuery(miniAppQuery)
  const address = `${window.location.origin}/glasses/bridge`
  return (
    <Page
      title={texts.title}
      breadcrumb={[{ to: '/glasses', label: texts.glasses }]}
      badges={<Badge tone="warning">{texts.experimental}</Badge>}
      description={texts.description}
    >
      <Notice tone="warning" title={texts.unproved.title}>
        {texts.unproved.text}
      </Notice>
      <Card title={texts.code}>
        <QueryState query={query}>
          {({ packageName, version, name, sha256 }) => (
            <div className={styles.code}>
              <QrCode
                label={texts.qrCode}
                content={installationCode({ url: address, package: packageName, version, name })}
              />
              <div className={styles.fields}>
                <CopyField label={texts.address} value={address} />
                <CopyField label={texts.hash} value={sha256} />
                <p className="muted">{texts.version(version)}</p>
              </div>
            </div>
          )}
        </QueryState>
      </Card>
      <Card title={texts.stepsTitle}>
        <ol className={styles.steps}>
          {texts.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </Card>
      <Card title={texts.limits.title}>
        <p>{texts.limits.text}</p>
      </Card>
    </Page>
  )
}
