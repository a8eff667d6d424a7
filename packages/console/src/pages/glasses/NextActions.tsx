import type { App } from '../../api/apps.ts'
import { useChangePhoneSettings } from '../../api/phone-settings.ts'
import { Button, LinkButton } from '../../components/Button.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import type { Simulator } from '../../simulator/simulator.ts'
import { AppActions } from '../apps/AppActions.tsx'
import styles from './NextActions.module.css'
import type { NextStep } from './next-step.ts'
import { LOCAL_TRANSCRIPTION } from './PhoneRecognition.tsx'
import type { GlassesApps } from './use-glasses-apps.ts'

export interface NextActionsProps {
  readonly simulator: Simulator
  readonly step: NextStep
  readonly apps: GlassesApps | undefined
}

/** Apps that fit below the lens. */
const MAX_APPS = 2

/** The buttons of the next step, below the lens: to put the glasses on, and to install, start and stop apps. */
export function NextActions({ simulator, step, apps }: NextActionsProps) {
  const changeSettings = useChangePhoneSettings()

  async function putOn() {
    await simulator.connect()
    // The button is gone; the next step is in the lens.
    document.getElementById('lens')?.focus({ preventScroll: true })
  }

  if (step === 'put-on' || step === 'connecting') {
    return (
      <Button variant="primary" isPending={step === 'connecting'} onPress={() => void putOn()}>
        Put on
      </Button>
    )
  }
  if (apps === undefined || step === 'loading' || step === 'reconnecting') return null
  if (step === 'find-app') {
    return (
      <LinkButton variant="primary" to="/developer/first-app">
        Make an app
      </LinkButton>
    )
  }
  const shown = (apps.active.length > 0 ? apps.active : apps.suggested).slice(0, MAX_APPS)
  return (
    <>
      <ul className={styles.apps} aria-label="Apps">
        {shown.map((app) => (
          <AppItem key={app.packageName} app={app} isInstalled={apps.isInstalled(app)} />
        ))}
      </ul>
      {step === 'use-microphone' && (
        <Button
          isPending={changeSettings.isPending}
          onPress={() => changeSettings.mutate({ [LOCAL_TRANSCRIPTION]: true }, { onError: reportFailure })}
        >
          Type instead
        </Button>
      )}
      {apps.active.length === 0 && (
        <LinkButton variant="quiet" to="/store">
          More apps
        </LinkButton>
      )}
    </>
  )
}

function AppItem({ app, isInstalled }: { readonly app: App; readonly isInstalled: boolean }) {
  return (
    <li>
      <span className={styles.name}>{app.name}</span>
      <AppActions app={app} isInstalled={isInstalled} isMain isQuiet />
    </li>
  )
}
