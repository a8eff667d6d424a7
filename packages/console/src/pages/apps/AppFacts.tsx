import { useQuery } from '@tanstack/react-query'
import type { App } from '../../api/apps.ts'
import { liveSessionQuery } from '../../api/live-session.ts'
import { Badge } from '../../components/Badge.tsx'
import { Card } from '../../components/Page.tsx'
import { hardware, permissions as permissionTexts } from '../../permissions.ts'
import styles from './AppPage.module.css'
import { appPageTexts } from './app-page.texts.ts'
import { describeCompatibility } from './describe-compatibility.ts'

/** What an app may use, with its reasons. */
export function PermissionsCard({ permissions }: Pick<App, 'permissions'>) {
  const texts = appPageTexts.permissions
  return (
    <Card title={texts.title} description={texts.description}>
      {permissions.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        <dl className={styles.facts}>
          {permissions.map(({ type, description }) => (
            <div key={type}>
              <dt>{permissionTexts[type].name}</dt>
              <dd>{permissionTexts[type].meaning}</dd>
              {description !== undefined && description !== '' && (
                <dd className="muted">{texts.reason(description)}</dd>
              )}
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
  const texts = appPageTexts.hardware
  const missing = new Set(app.compatibility.missingRequired.map(({ type }) => type))
  return (
    <Card title={texts.title} description={describeCompatibility(app.compatibility, session?.glasses)}>
      {app.requiredHardware.length === 0 ? (
        <p>{texts.any}</p>
      ) : (
        <ul className={styles.parts}>
          {app.requiredHardware.map((type) => (
            <li key={type}>
              {hardware[type]}
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

/** Who made an app, as far as that is known. */
export function DeveloperCard({ profile }: { readonly profile: App['developerProfile'] }) {
  const { company, description, website, contactEmail } = profile
  const texts = appPageTexts.developer
  if (company === undefined && description === undefined && !website && !contactEmail) return null
  return (
    <Card title={texts.title}>
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
          {texts.contact} <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
        </p>
      )}
    </Card>
  )
}
