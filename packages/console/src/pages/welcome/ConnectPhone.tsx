import { useRouteContext } from '@tanstack/react-router'
import { CopyField } from '../../components/CopyField.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { QrCode } from '../../components/QrCode.tsx'
import styles from './ConnectPhone.module.css'

const texts = {
  steps: [
    'In the app on your phone, open the developer settings and enter this address as the backend URL. The QR code contains the address as well: scan it with the camera of the phone and copy it.',
    'The app tests the address and connects again. Sign in with the e-mail address that you use here.',
    'Pair your glasses. The store shows which glasses are connected.',
  ],
} as const

/** Names by which only the computer itself reaches the cloud. */
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** The address of this cloud for a phone, and what to do with it. */
export function ConnectPhone() {
  const { user } = useRouteContext({ from: '/signed-in' })
  const { origin, hostname } = window.location
  return (
    <div id="phone">
      <Card
        title="Connect a phone"
        description="Glasses connect to this cloud through the app on your phone."
      >
        {LOOPBACK.test(hostname) && (
          <Notice tone="warning" title="Your phone cannot reach this address">
            It works on this computer only. Start the cloud with HOST=0.0.0.0 and open the console at the
            network address of this computer, or set PUBLIC_URL to the address behind your proxy.
          </Notice>
        )}
        <div className={styles.address}>
          <QrCode label="QR code with the address of this cloud" content={origin} />
          <div className={styles.steps}>
            <CopyField label="Address of this cloud" value={origin} />
            <ol>
              {texts.steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </div>
        </div>
        {user.isAdministrator && (
          <Notice tone="warning" title="Let phones sign in">
            Phones sign in with a token of their identity provider. Name the provider in OIDC_ISSUERS or
            OIDC_ISSUER, or set its signing key, before you connect the first one.
          </Notice>
        )}
      </Card>
    </div>
  )
}
