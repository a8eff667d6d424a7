import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'
import { cloudUrl } from '../../base-path.ts'
import { Badge } from '../../components/Badge.tsx'
import { CopyField } from '../../components/CopyField.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card, Page } from '../../components/Page.tsx'
import { QrCode } from '../../components/QrCode.tsx'
import { QueryState } from '../../components/States.tsx'
import styles from './bridge.module.css'
import { installationCode } from './installation-code.ts'

const STEPS = [
  'In the Mentra app, pair your glasses. Open Settings and tap the version ten times, then open Debug Settings, Miniapp Developer Settings.',
  'Scan the code, or type the address. The mini app Glasses Cloud appears on the home screen of the Mentra app.',
  'Start it there. The lens shows a code: open /device of this console, and enter it.',
  'Start an app in the console: its words appear on the lens. The next time the mini app signs in by itself.',
] as const

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
  const address = `${cloudUrl()}/glasses/bridge`
  return (
    <Page
      title="Glasses through the Mentra app"
      breadcrumb={[{ to: '/glasses', label: 'Glasses' }]}
      badges={<Badge tone="warning">Experimental</Badge>}
      description="The Mentra app 3 has its own cloud. This cloud is a mini app in it: it wears the glasses that are paired there, and shows the apps of this cloud on them."
    >
      <Notice tone="warning" title="Nobody has tried this with a phone yet">
        It was made from the public source of the Mentra app and proved against a model of it. That app may
        have changed, or refuse mini apps from elsewhere. Please report what you see.
      </Notice>
      <Card title="Code">
        <QueryState query={query}>
          {({ packageName, version, name, sha256 }) => (
            <div className={styles.code}>
              <QrCode
                label="QR code that installs the mini app"
                content={installationCode({ url: address, package: packageName, version, name })}
              />
              <div className={styles.fields}>
                <CopyField label="Address of the mini app" value={address} />
                <CopyField label="SHA-256 of the archive" value={sha256} />
                <p className="muted">Version {version}</p>
              </div>
            </div>
          )}
        </QueryState>
      </Card>
      <Card title="Steps">
        <ol className={styles.steps}>
          {STEPS.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </Card>
      <Card title="What it can do">
        <p>
          Text, touches, looking up, battery, the microphone, sounds and the location of the phone. Pictures,
          the camera, buttons and the brightness are not passed on. Only one mini app has the lens: others of
          the Mentra app take turns with it.
        </p>
      </Card>
    </Page>
  )
}
