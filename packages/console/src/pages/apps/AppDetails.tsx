import { useRouteContext } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { App, AppDetails as Details } from '../../api/apps.ts'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card, Page } from '../../components/Page.tsx'
import { AppBadges } from './AppBadges.tsx'
import { AppButtons } from './AppButtons.tsx'
import { developerOf } from './AppCard.tsx'
import { DeveloperCard, HardwareCard, PermissionsCard } from './AppFacts.tsx'
import { AppLogo } from './AppLogo.tsx'
import { AppNotices } from './AppNotices.tsx'
import styles from './AppPage.module.css'
import { Screenshots } from './Screenshots.tsx'
import { type AppControls, useAppControls } from './use-app-controls.ts'

const SpeechModelOffer = lazy(async () => ({
  default: (await import('../speech-models/SpeechModelOffer.tsx')).SpeechModelOffer,
}))

/** The app that comes with the cloud, which shows recognized speech. */
const CAPTIONS = 'dev.glasses-cloud.captions'

export interface AppDetailsProps {
  readonly app: Details & Pick<App, 'is_running'>
  /** The app in the list of the store, once that is loaded. */
  readonly listed: App | undefined
  readonly isInstalled: boolean
}

/** The details of an app: what it may use, what it needs, who made it, and what can be done with it. */
export function AppDetails({ app, listed, isInstalled }: AppDetailsProps) {
  const controls = useAppControls(app, isInstalled)
  const { user } = useRouteContext({ from: '/signed-in' })
  return (
    <Page
      title={app.name}
      breadcrumb={[{ label: 'Apps', to: '/store' }]}
      icon={<AppLogo url={app.logoURL} name={app.name} size="large" />}
      badges={listed !== undefined && <AppBadges app={listed} isInstalled={isInstalled} />}
      description={`by ${developerOf(app)}`}
      actions={
        <AppButtons controls={controls} isMain>
          <LinkButton to="/glasses" variant={controls.main === 'stop' ? 'primary' : 'secondary'}>
            Open glasses
          </LinkButton>
          {app.uninstallable && isInstalled && <UninstallButton controls={controls} />}
        </AppButtons>
      }
    >
      <AppNotices controls={controls} />
      {user.isAdministrator && app.packageName === CAPTIONS && (
        <Suspense fallback={null}>
          <SpeechModelOffer />
        </Suspense>
      )}
      {/* A failed start says more. */}
      {!app.isOnline && controls.error === undefined && (
        <Notice tone="warning" title="The server of the app does not answer at the moment">
          It may not start. Its developer has to bring the server back.
        </Notice>
      )}
      <Screenshots urls={app.screenshots} name={app.name} />
      <div className={styles.columns}>
        <div className={styles.column}>
          {app.description && (
            <Card title="About">
              <p className={styles.description}>{app.description}</p>
            </Card>
          )}
          <PermissionsCard permissions={app.permissions} />
        </div>
        <div className={styles.column}>
          {listed !== undefined && <HardwareCard app={listed} />}
          <DeveloperCard profile={app.developerProfile} />
        </div>
      </div>
    </Page>
  )
}

function UninstallButton({ controls: { app, perform, reset } }: { readonly controls: AppControls }) {
  return (
    <ConfirmButton
      title={`Uninstall ${app.name}?`}
      description={<p>The app stops, and its settings are kept for the next time.</p>}
      confirmLabel="Uninstall"
      onConfirm={() => {
        reset()
        return perform('uninstall')
      }}
    >
      Uninstall
    </ConfirmButton>
  )
}
