import { LinkButton } from '../../components/LinkButton.tsx'
import { Card, Page } from '../../components/Page.tsx'
import { welcome as texts } from '../../texts/welcome.ts'
import { ConnectPhone } from './ConnectPhone.tsx'
import styles from './WelcomePage.module.css'

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
