import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { developerAppsQuery } from '../../api/developer.ts'
import { type Organization, organizationQuery, useOrganizationChanges } from '../../api/organizations.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Badge } from '../../components/Badge.tsx'
import { LinkButton } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card, type Crumb, Page } from '../../components/Page.tsx'
import { PageState } from '../../components/PageState.tsx'
import { TextField } from '../../components/TextField.tsx'
import { plural } from '../../format.ts'
import { Invitations } from './Invitations.tsx'
import { Members } from './Members.tsx'
import { ROLE_NAMES } from './roles.ts'

const BREADCRUMB: readonly Crumb[] = [{ to: '/organizations', label: 'Organizations' }]

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
          badges={<Badge>{ROLE_NAMES[loaded.role]}</Badge>}
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
    <Card title="Apps" actions={<LinkButton to="/developer/new">Create an app</LinkButton>}>
      {apps.length === 0 ? (
        <p className="muted">It owns no apps yet.</p>
      ) : (
        <AppLinks organization={organization} />
      )}
    </Card>
  )
}

function Rename({ organization: { slug, name } }: OrganizationProps) {
  const { rename } = useOrganizationChanges()
  return (
    <Card title="Name">
      <ActionForm
        submitLabel="Rename"
        onSubmit={(fields) => rename(slug, fields.get('name') ?? '')}
        success={({ data }) => `The organization is now called ${data.name}`}
      >
        <TextField name="name" label="Name" defaultValue={name} isRequired maxLength={200} />
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
    <Card tone="danger" title="Delete the organization" description="Only possible while it owns no apps.">
      {apps.length > 0 && (
        <Notice
          tone="warning"
          title={plural(apps.length, {
            one: 'It owns an app. Move or delete it first:',
            other: `It owns ${apps.length} apps. Move or delete them first:`,
          })}
        >
          <AppLinks organization={organization} />
        </Notice>
      )}
      <div>
        <ConfirmButton
          title={`Delete ${name} for good?`}
          description={
            <p>All members lose it, and pending invitations become invalid. This cannot be undone.</p>
          }
          confirmLabel="Delete the organization"
          onConfirm={() => remove(slug, () => navigate({ to: '/organizations' }))}
          success={`${name} is deleted`}
        >
          Delete the organization
        </ConfirmButton>
      </div>
    </Card>
  )
}
