import { useRouteContext } from '@tanstack/react-router'
import { CopyField } from '../../components/CopyField.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { QrCode } from '../../components/QrCode.tsx'
import styles from './ConnectPhone.module.css'
import { InstallAuthority } from './InstallAuthority.tsx'
import { welcomeTexts } from './welcome.texts.ts'

const texts = welcomeTexts.phone

/** Names by which only the computer itself reaches the cloud. */
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** The address of this cloud for a phone, and what to do with it. */
export function ConnectPhone() {
  const { user } = useRouteContext({ from: '/signed-in' })
  const { origin, hostname } = window.location
  return (
    <div id="phone">
      <Card title={texts.title} description={texts.description}>
        {LOOPBACK.test(hostname) && (
          <Notice tone="warning" title={texts.loopback.title}>
            {texts.loopback.text}
          </Notice>
        )}
        <div className={styles.address}>
          <QrCode label={texts.qrCode} content={origin} />
          <div className={styles.steps}>
            <CopyField label={texts.address} value={origin} />
            <ol>
              {texts.steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </div>
        </div>
        <InstallAuthority />
        {user.isAdministrator && (
          <Notice tone="warning" title={texts.signIn.title}>
            {texts.signIn.text}
          </Notice>
        )}
      </Card>
    </div>
  )
}
