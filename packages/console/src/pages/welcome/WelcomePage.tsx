import { LinkButton } from '../../components/LinkButton.tsx'
import { Card, Page } from '../../components/Page.tsx'
import { ConnectPhone } from './ConnectPhone.tsx'
import styles from './WelcomePage.module.css'

const texts = {
  title: 'Welcome',
  description: 'Your cloud is running. What would you like to do first?',
  simulator: {
    title: 'Try it in the browser',
    text: 'Wear simulated glasses: speak or type, and read on the lens what an app makes of it. You need no hardware.',
    action: 'Wear simulated glasses',
  },
  app: {
    title: 'Make an app',
    text: 'Create an app, get its key, and start its server with a few lines of TypeScript.',
    action: 'Make an app',
  },
  store: {
    title: 'Look at the apps',
    text: 'See the apps of this cloud, and install some.',
    action: 'Open the store',
  },
  phone: {
    title: 'Connect a phone',
    text: 'Glasses connect to this cloud through the app on your phone.',
    address: 'Address of this cloud',
    qrCode: 'QR code with the address of this cloud',
    steps: [
      'In the app on your phone, open the developer settings and enter this address as the backend URL. The QR code contains the address as well: scan it with the camera of the phone and copy it.',
      'The app tests the address and connects again. Sign in with the e-mail address that you use here.',
      'Pair your glasses. The store shows which glasses are connected.',
    ],
    loopback: {
      title: 'Your phone cannot reach this address',
      text: 'It works on this computer only. Start the cloud with HOST=0.0.0.0 and open the console at the network address of this computer, or set PUBLIC_URL to the address behind your proxy.',
    },
    signIn: {
      title: 'Let phones sign in',
      text: 'Phones sign in with a token of their identity provider. Name the provider in OIDC_ISSUERS or OIDC_ISSUER, or set its signing key, before you connect the first one.',
    },
  },
} as const

/** The first steps on a new cloud, and later in the menu. */
export function WelcomePage() {
  const { simulator, app, store } = texts
  return (
    <Page title={texts.title} description={texts.description}>
      <div className={styles.choices}>
        <Card title={simulator.title}>
          <p className={styles.text}>{simulator.text}</p>
          <div>
            <LinkButton to="/glasses" variant="primary">
              {simulator.action}
            </LinkButton>
          </div>
        </Card>
        <Card title={app.title}>
          <p className={styles.text}>{app.text}</p>
          <div>
            <LinkButton to="/developer/first-app">{app.action}</LinkButton>
          </div>
        </Card>
        <Card title={store.title}>
          <p className={styles.text}>{store.text}</p>
          <div>
            <LinkButton to="/store">{store.action}</LinkButton>
          </div>
        </Card>
      </div>
      <ConnectPhone />
    </Page>
  )
}
