import { useQuery } from '@tanstack/react-query'
import { useParams, useRouteContext } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { type App, appQuery, appsQuery, type AppDetails as Details, installedQuery } from '../../api/apps.ts'
import { LinkButton } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card, Page } from '../../components/Page.tsx'
import { PageState } from '../../components/PageState.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { isOwnUrl } from '../../own-url.ts'
import { AppButtons, AppNotices } from './AppActions.tsx'
import { AppBadges } from './AppBadges.tsx'
import { developerOf } from './AppCard.tsx'
import { DeveloperCard, HardwareCard, PermissionsCard } from './AppFacts.tsx'
import { AppLogo } from './AppLogo.tsx'
import styles from './AppPage.module.css'
import { type AppControls, useAppControls } from './use-app-controls.ts'

/** The page of an app. */
export function AppPage() {
  const { packageName } = useParams({ from: '/signed-in/store/$packageName' })
  const details = useQuery(appQuery(packageName))
  const installed = useQuery(installedQuery)
  // The list knows whether the app runs and fits the glasses.
  const { data: apps } = useQuery(appsQuery)
  const listed = apps?.find((app) => app.packageName === packageName)
  return (
    <PageState query={details} breadcrumb={[{ label: 'Apps', to: '/store' }]}>
      {(app) =>
        installed.isPending ? (
          <Skeleton shape="page" />
        ) : (
          <AppDetails
            key={packageName}
            app={{ ...app, is_running: listed?.is_running ?? false }}
            listed={listed}
            isInstalled={installed.data?.has(packageName) ?? false}
          />
        )
      }
    </PageState>
  )
}

const SpeechModelOffer = lazy(async () => ({
  default: (await import('../speech-models/SpeechModelOffer.tsx')).SpeechModelOffer,
}))

/** The app that comes with the cloud, which shows recognized speech. */
const CAPTIONS = 'dev.glasses-cloud.captions'

interface AppDetailsProps {
  readonly app: Details & Pick<App, 'is_running'>
  /** The app in the list of the store, once that is loaded. */
  readonly listed: App | undefined
  readonly isInstalled: boolean
}

/** The details of an app: what it may use, what it needs, who made it, and what can be done with it. */
function AppDetails({ app, listed, isInstalled }: AppDetailsProps) {
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

/** The screenshots of an app, in a row that scrolls. Those on other servers are left out. */
function Screenshots({ urls, name }: { readonly urls: readonly string[]; readonly name: string }) {
  const own = urls.filter(isOwnUrl)
  if (own.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the row cannot be scrolled with the keyboard
    <section className={styles.screenshots} aria-label="Screenshots" tabIndex={0}>
      {own.map((url, index) => (
        <img key={url} src={url} alt={`Screenshot ${index + 1} of ${name}`} loading="lazy" decoding="async" />
      ))}
    </section>
  )
}
