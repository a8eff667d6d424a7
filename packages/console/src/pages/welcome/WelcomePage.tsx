import { useRouteContext } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { LinkButton } from '../../components/Button.tsx'
import { AppWindow, Code2, Glasses, Smartphone } from '../../components/icons.ts'
import { Page } from '../../components/Page.tsx'
import styles from './WelcomePage.module.css'

const SpeechModelOffer = lazy(async () => ({
  default: (await import('../speech-models/SpeechModelOffer.tsx')).SpeechModelOffer,
}))

/** The first steps on a new cloud, and later in the menu. */
export function WelcomePage() {
  const { user } = useRouteContext({ from: '/signed-in' })
  return (
    <Page title="Welcome" description="Your cloud is running. What would you like to do first?">
      <div className={styles.choices}>
        <Choice
          icon={<Glasses aria-hidden />}
          title="Try it in the browser"
          text="Wear simulated glasses: speak or type, and read on the lens what an app makes of it. You need no hardware."
        >
          <LinkButton to="/glasses" variant="primary">
            Wear simulated glasses
          </LinkButton>
        </Choice>
        <Choice
          icon={<Smartphone aria-hidden />}
          title="Connect your glasses"
          text="Even G2, Even G1, Brilliant Frame and Halo, glasses of the Mentra app, or an own build of the open phone app: step by step to words on the lens. Experimental."
        >
          <LinkButton to="/glasses/connect">Connect your glasses</LinkButton>
        </Choice>
        <Choice
          icon={<Code2 aria-hidden />}
          title="Make an app"
          text="Create an app, get its key, and start its server with a few lines of TypeScript."
        >
          <LinkButton to="/developer/first-app">Make an app</LinkButton>
        </Choice>
        <Choice
          icon={<AppWindow aria-hidden />}
          title="Look at the apps"
          text="See the apps of this cloud, and install some."
        >
          <LinkButton to="/store">Open the store</LinkButton>
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
