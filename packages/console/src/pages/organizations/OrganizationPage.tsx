import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { developerAppsQuery } from '../../api/developer.ts'
import { type Organization, organizationQuery, useOrganizationChanges } from '../../api/organizations.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Badge } from '../../components/Badge.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card, type Crumb, Page } from '../../components/Page.tsx'
import { PageState } from '../../components/PageState.tsx'
import { TextField } from '../../components/TextField.tsx'
import { Invitations } from './Invitations.tsx'
import { Members } from './Members.tsx'
import { organizationsTexts, organizationTexts, roleTexts } from './organizations.texts.ts'

const BREADCRUMB: readonly Crumb[] = [{ to: '/organizations', label: organizationsTexts.title }]

/** One organization: its apps, members and invitations, its name, and its end. */
export function OrganizationPage() {
  const { org } = useParams({ from: '/signed-in/organizations/$org' })
  const organization = useQuery(organizationQuery(org))
  return (
    <PageState query={organization} breadcrumb={BREADCRUMB}>
      {(loaded) => (
        <Page
          title={loaded.name}
          breadcrumb={BREADCRUMB}
          badges={<Badge>{roleTexts[loaded.role]}</Badge>}
          description={<code>{loaded.slug}</code>}
        >
          <Apps organization={loaded} />
          <Members organization={loaded} />
          {loaded.role === 'admin' && (
            <>
              <Invitations organization={loaded} />
              <Rename organization={loaded} />
              <Deletion organization={loaded} />
            </>
          )}
        </Page>
      )}
    </PageState>
  )
}

interface OrganizationProps {
  readonly organization: Organization
}

function useApps({ id }: Organization) {
  const { data = [] } = useQuery(developerAppsQuery)
  return data.filter(({ orgId }) => orgId === id)
}

function AppLinks({ organization }: OrganizationProps) {
  return (
    <ul>
      {useApps(organization).map(({ packageName, name }) => (
        <li key={packageName}>
          <Link to="/developer/apps/$packageName" params={{ packageName }}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Apps({ organization }: OrganizationProps) {
  const apps = useApps(organization)
  return (
    <Card
      title={organizationTexts.apps.title}
      actions={<LinkButton to="/developer/new">{organizationTexts.apps.create}</LinkButton>}
    >
      {apps.length === 0 ? (
        <p className="muted">{organizationTexts.apps.none}</p>
      ) : (
        <AppLinks organization={organization} />
      )}
    </Card>
  )
}

function Rename({ organization: { slug, name } }: OrganizationProps) {
  const { rename } = useOrganizationChanges()
  return (
    <Card title={organizationTexts.name.title}>
      <ActionForm
        submitLabel={organizationTexts.name.submit}
        onSubmit={(fields) => rename(slug, fields.get('name') ?? '')}
        success={({ data }) => organizationTexts.name.renamed(data.name)}
      >
        <TextField
          name="name"
          label={organizationTexts.name.title}
          defaultValue={name}
          isRequired
          maxLength={200}
        />
      </ActionForm>
    </Card>
  )
}

function Deletion({ organization }: OrganizationProps) {
  const { slug, name } = organization
  const { remove } = useOrganizationChanges()
  const navigate = useNavigate()
  const apps = useApps(organization)
  return (
    <Card
      tone="danger"
      title={organizationTexts.deletion.title}
      description={organizationTexts.deletion.description}
    >
      {apps.length > 0 && (
        <Notice tone="warning" title={organizationTexts.deletion.ownsApps(apps.length)}>
          <AppLinks organization={organization} />
        </Notice>
      )}
      <div>
        <ConfirmButton
          title={organizationTexts.deletion.question(name)}
          description={<p>{organizationTexts.deletion.consequence}</p>}
          confirmLabel={organizationTexts.deletion.title}
          onConfirm={() => remove(slug, () => navigate({ to: '/organizations' }))}
          success={organizationTexts.deletion.deleted(name)}
        >
          {organizationTexts.deletion.title}
        </ConfirmButton>
      </div>
    </Card>
  )
}
