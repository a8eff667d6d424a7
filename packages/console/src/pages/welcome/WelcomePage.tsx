import { useRouteContext } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { AppWindow, Code2, Glasses, Smartphone } from '../../components/icons.ts'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Page } from '../../components/Page.tsx'
import styles from './WelcomePage.module.css'
import { welcomeTexts as texts } from './welcome.texts.ts'

const SpeechModelOffer = lazy(async () => ({
  default: (await import('../speech-models/SpeechModelOffer.tsx')).SpeechModelOffer,
}))

/** The first steps on a new cloud, and later in the menu. */
export function WelcomePage() {
  const { simulator, real, app, store } = texts
  const { user } = useRouteContext({ from: '/signed-in' })
  return (
    <Page title={texts.title} description={texts.description}>
      <div className={styles.choices}>
        <Choice icon={<Glasses aria-hidden />} title={simulator.title} text={simulator.text}>
          <LinkButton to="/glasses" variant="primary">
            {simulator.action}
          </LinkButton>
        </Choice>
        <Choice icon={<Smartphone aria-hidden />} title={real.title} text={real.text}>
          <LinkButton to="/glasses/connect">{real.action}</LinkButton>
        </Choice>
        <Choice icon={<Code2 aria-hidden />} title={app.title} text={app.text}>
          <LinkButton to="/developer/first-app">{app.action}</LinkButton>
        </Choice>
        <Choice icon={<AppWindow aria-hidden />} title={store.title} text={store.text}>
          <LinkButton to="/store">{store.action}</LinkButton>
        </Choice>
      </div>
      {user.isAdministrator && (
        <Suspense fallback={null}>
          <SpeechModelOffer />
        </Suspense>
      )}
    </Page>
  )
}

interface ChoiceProps {
  readonly icon: ReactNode
  readonly title: string
  readonly text: string
  /** The link that leads there. */
  readonly children: ReactNode
}

function Choice({ icon, title, text, children }: ChoiceProps) {
  return (
    <section className={styles.choice}>
      <span className={styles.icon}>{icon}</span>
      <h2>{title}</h2>
      <p className="muted">{text}</p>
      <div>{children}</div>
    </section>
  )
}
