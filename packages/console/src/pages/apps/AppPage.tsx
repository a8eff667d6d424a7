import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type App, appQuery, appsQuery, installedQuery } from '../../api/apps.ts'
import { liveSessionQuery } from '../../api/live-session.ts'
import { Badge } from '../../components/Badge.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card, Page } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { apps as texts } from '../../texts/apps.ts'
import { hardware, permissions } from '../../texts/permissions.ts'
import { AppActions } from './AppActions.tsx'
import styles from './AppPage.module.css'
import { describeCompatibility } from './describe-compatibility.ts'
import { Screenshots } from './Screenshots.tsx'

/** The details of an app: what it may use, what it needs, who made it, and what can be done with it. */
export function AppPage() {
  const { packageName } = useParams({ from: '/signed-in/store/$packageName' })
  const details = useQuery(appQuery(packageName))
  const installed = useQuery(installedQuery)
  // The list knows whether the app runs and fits the glasses.
  const { data: apps } = useQuery(appsQuery)
  const listed = apps?.find((app) => app.packageName === packageName)

  return (
    <QueryState query={details}>
      {(app) => (
        <Page
          title={app.name}
          description={texts.by(app.orgName ?? app.developerProfile.company ?? app.packageName)}
        >
          <AppActions
            app={{ ...app, is_running: listed?.is_running ?? false }}
            isInstalled={installed.data?.has(packageName) ?? false}
            canUninstall={app.uninstallable}
          />
          {!app.isOnline && (
            <Notice tone="warning" title={texts.offline.title}>
              {texts.offline.hint}
            </Notice>
          )}
          <p>{app.description}</p>
          <Screenshots urls={app.screenshots} name={app.name} />
          <Card title={texts.permissions} description={texts.permissionsHint}>
            {app.permissions.length === 0 ? (
              <p>{texts.noPermissions}</p>
            ) : (
              <dl className={styles.facts}>
                {app.permissions.map(({ type, description }) => (
                  <div key={type}>
                    <dt>{permissions[type].name}</dt>
                    <dd>{permissions[type].meaning}</dd>
                    {description !== undefined && <dd className="muted">“{description}”</dd>}
                  </div>
                ))}
              </dl>
            )}
          </Card>
          {listed !== undefined && <Hardware app={listed} />}
          <Developer profile={app.developerProfile} />
        </Page>
      )}
    </QueryState>
  )
}

function Hardware({ app }: { readonly app: App }) {
  const { data: session } = useQuery(liveSessionQuery)
  const missing = new Set(app.compatibility.missingRequired.map(({ type }) => type))
  return (
    <Card title={texts.hardware} description={describeCompatibility(app.compatibility, session?.glasses)}>
      {app.requiredHardware.length === 0 ? (
        <p>{texts.noHardware}</p>
      ) : (
        <ul className={styles.parts}>
          {app.requiredHardware.map((type) => (
            <li key={type}>
              {hardware[type]}{' '}
              {missing.has(type) ? (
                <Badge tone="warning">{texts.missing}</Badge>
              ) : (
                <Badge>{texts.required}</Badge>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Developer({ profile }: { readonly profile: App['developerProfile'] }) {
  const { company, description, website, contactEmail } = profile
  if (company === undefined && description === undefined && !website && !contactEmail) return null
  return (
    <Card title={texts.developer}>
      {company !== undefined && <p>{company}</p>}
      {description !== undefined && <p>{description}</p>}
      {website !== undefined && /^https?:\/\//.test(website) && (
        <p>
          <a href={website} rel="noreferrer noopener" target="_blank">
            {texts.website}
          </a>
        </p>
      )}
      {contactEmail !== undefined && (
        <p>
          {texts.contact}: <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
        </p>
      )}
    </Card>
  )
}
