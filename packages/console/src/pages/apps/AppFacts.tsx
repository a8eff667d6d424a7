import { useQuery } from '@tanstack/react-query'
import type { App } from '../../api/apps.ts'
import { liveSessionQuery } from '../../api/live-session.ts'
import { Badge } from '../../components/Badge.tsx'
import { Card } from '../../components/Page.tsx'
import { hardware, permissions as permissionTexts } from '../../permissions.ts'
import styles from './AppPage.module.css'
import { describeCompatibility } from './describe-compatibility.ts'

/** What an app may use, with its reasons. */
export function PermissionsCard({ permissions }: Pick<App, 'permissions'>) {
  return (
    <Card title="Permissions" description="What the app may use while it runs on your glasses.">
      {permissions.length === 0 ? (
        <p>This app needs no permissions.</p>
      ) : (
        <dl className={styles.facts}>
          {permissions.map(({ type, description }) => (
            <div key={type}>
              <dt>{permissionTexts[type].name}</dt>
              <dd>{permissionTexts[type].meaning}</dd>
              {description !== undefined && description !== '' && <dd className="muted">“{description}”</dd>}
            </div>
          ))}
        </dl>
      )}
    </Card>
  )
}

/** What an app needs, and whether the connected glasses have it. */
export function HardwareCard({ app }: { readonly app: App }) {
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
              {hardware[type]}
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

/** Who made an app, as far as that is known. */
export function DeveloperCard({ profile }: { readonly profile: App['developerProfile'] }) {
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
