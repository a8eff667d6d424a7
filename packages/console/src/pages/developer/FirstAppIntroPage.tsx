import { useQuery } from '@tanstack/react-query'
import { developerAppsQuery } from '../../api/developer.ts'
import { LinkButton } from '../../components/Button.tsx'
import { Card, Page } from '../../components/Page.tsx'
import styles from './developer.module.css'

const STEPS = [
  'Create the app here; it gets a name and a key.',
  'Copy the code of a working app, and run it on your computer.',
  'Test the connection between this cloud and the app.',
  'Put on the simulated glasses, start the app, speak, and read your words on the lens.',
] as const

/** Own apps that are offered; the list of all of them has a search. */
const MAX_APPS = 8

/** The way from nothing to own words on the lens, which starts with the app itself. */
export function FirstAppIntroPage() {
  const { data: apps = [] } = useQuery(developerAppsQuery)
  return (
    <Page
      title="Your first app"
      description="From nothing to your own words on the lens."
      breadcrumb={[{ to: '/developer', label: 'Developer' }]}
    >
      <Card title="How it goes">
        <ol className={styles.steps}>
          {STEPS.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <div>
          <LinkButton to="/developer/new" search={{ first: true }} variant="primary">
            Create my first app
          </LinkButton>
        </div>
      </Card>
      {apps.length > 0 && (
        <Card
          title="Or continue with an app of yours"
          description="The code is filled in with its name and address."
        >
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
                All your apps
              </LinkButton>
            )}
          </div>
        </Card>
      )}
    </Page>
  )
}
