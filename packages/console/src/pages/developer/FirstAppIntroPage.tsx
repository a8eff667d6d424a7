import { useQuery } from '@tanstack/react-query'
import { developerAppsQuery } from '../../api/developer.ts'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Card, Page } from '../../components/Page.tsx'
import { developer } from '../../texts/developer.ts'
import styles from './FirstAppPage.module.css'

const texts = developer.first

/** The way from nothing to own words on the lens, which starts with the app itself. */
export function FirstAppIntroPage() {
  const { data: apps = [] } = useQuery(developerAppsQuery)
  return (
    <Page title={texts.link} description={texts.description}>
      <Card title={texts.wayTitle}>
        <ol>
          {texts.way.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <div>
          <LinkButton to="/developer/new" search={{ first: true }} variant="primary">
            {texts.start}
          </LinkButton>
        </div>
      </Card>
      {apps.length > 0 && (
        <Card title={texts.existing} description={texts.existingHint}>
          <div className={styles.row}>
            {apps.map(({ packageName, name }) => (
              <LinkButton
                key={packageName}
                to="/developer/apps/$packageName/first-app"
                params={{ packageName }}
              >
                {name}
              </LinkButton>
            ))}
          </div>
        </Card>
      )}
    </Page>
  )
}
