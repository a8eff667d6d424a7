import { useQuery } from '@tanstack/react-query'
import { developerAppsQuery } from '../../api/developer.ts'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Card, Page } from '../../components/Page.tsx'
import styles from './developer.module.css'
import { developerTexts } from './developer.texts.ts'
import { firstAppTexts } from './first-app.texts.ts'

const { intro: texts } = firstAppTexts

/** Own apps that are offered; the list of all of them has a search. */
const MAX_APPS = 8

/** The way from nothing to own words on the lens, which starts with the app itself. */
export function FirstAppIntroPage() {
  const { data: apps = [] } = useQuery(developerAppsQuery)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      breadcrumb={[{ to: '/developer', label: developerTexts.title }]}
    >
      <Card title={texts.way}>
        <ol className={styles.steps}>
          {texts.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <div>
          <LinkButton to="/developer/new" search={{ first: true }} variant="primary">
            {texts.create}
          </LinkButton>
        </div>
      </Card>
      {apps.length > 0 && (
        <Card title={texts.own.title} description={texts.own.description}>
          <div className={styles.row}>
            {apps.slice(0, MAX_APPS).map(({ packageName, name }) => (
              <LinkButton
                key={packageName}
                to="/developer/apps/$packageName/first-app"
                params={{ packageName }}
              >
                {name}
              </LinkButton>
            ))}
            {apps.length > MAX_APPS && (
              <LinkButton to="/developer" variant="quiet">
                {texts.own.all}
              </LinkButton>
            )}
          </div>
        </Card>
      )}
    </Page>
  )
}
