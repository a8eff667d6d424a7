import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type App, appQuery, appsQuery, installedQuery } from '../../api/apps.ts'
import { liveSessionQuery } from '../../api/live-session.ts'
import { Badge } from '../../components/Badge.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card, Page } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { hardware, permissions } from '../../permissions.ts'
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
          description={`by ${app.orgName ?? app.developerProfile.company ?? app.packageName}`}
        >
          <AppActions
            app={{ ...app, is_running: listed?.is_running ?? false }}
            isInstalled={installed.data?.has(packageName) ?? false}
            canUninstall={app.uninstallable}
          />
          {!app.isOnline && (
            <Notice tone="warning" title="The server of the app does not answer at the moment">
              It may not start. Its developer has to bring the server back.
            </Notice>
          )}
          <p>{app.description}</p>
          <Screenshots urls={app.screenshots} name={app.name} />
          <Card title="Permissions" description="What the app may use while it runs on your glasses.">
            {app.permissions.length === 0 ? (
              <p>This app needs no permissions.</p>
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
    <Card title="Hardware" description={describeCompatibility(app.compatibility, session?.glasses)}>
      {app.requiredHardware.length === 0 ? (
        <p>Works with any glasses.</p>
      ) : (
        <ul className={styles.parts}>
          {app.requiredHardware.map((type) => (
            <li key={type}>
              {hardware[type]}{' '}
              {missing.has(type) ? (
                <Badge tone="warning">Missing on your glasses</Badge>
              ) : (
                <Badge>Required</Badge>
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
    <Card title="Developer">
      {company !== undefined && <p>{company}</p>}
      {description !== undefined && <p>{description}</p>}
      {website !== undefined && /^https?:\/\//.test(website) && (
        <p>
          <a href={website} rel="noreferrer noopener" target="_blank">
            Website
          </a>
        </p>
      )}
      {contactEmail !== undefined && (
        <p>
          Contact: <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
        </p>
      )}
    </Card>
  )
}
