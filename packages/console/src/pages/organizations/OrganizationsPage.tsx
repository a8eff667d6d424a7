import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { organizationsQuery, useOrganizationChanges } from '../../api/organizations.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Card, Page } from '../../components/Page.tsx'
import { EmptyState, QueryState } from '../../components/States.tsx'
import { Table } from '../../components/Table.tsx'
import { TextField } from '../../components/TextField.tsx'
import { reportSuccess } from '../../components/Toasts.tsx'
import { formatTime } from '../../format.ts'
import { ROLE_NAMES } from './roles.ts'

/** The organizations of the user, and a form that creates another one. */
export function OrganizationsPage() {
  const organizations = useQuery(organizationsQuery)
  const { create } = useOrganizationChanges()
  const navigate = useNavigate()
  return (
    <Page title="Organizations" description="Share apps with other developers.">
      <QueryState query={organizations} skeleton="rows">
        {(own) =>
          own.length === 0 ? (
            <EmptyState title="No organizations yet">
              <p>Create one to own apps together, or ask a member of one to invite you.</p>
            </EmptyState>
          ) : (
            <Table
              label="Your organizations"
              rows={own}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: 'name',
                  label: 'Organization',
                  render: ({ name, slug }) => (
                    <>
                      <Link to="/organizations/$org" params={{ org: slug }}>
                        {name}
                      </Link>
                      <br />
                      <code className="muted">{slug}</code>
                    </>
                  ),
                },
                { id: 'role', label: 'Your role', render: ({ role }) => ROLE_NAMES[role] },
                {
                  id: 'made',
                  label: 'Made',
                  render: ({ createdAt }) => <time dateTime={createdAt}>{formatTime(createdAt)}</time>,
                },
              ]}
            />
          )
        }
      </QueryState>
      <Card title="Create an organization">
        <ActionForm
          submitLabel="Create"
          onSubmit={async (fields) => {
            const { data } = await create(fields.get('name') ?? '')
            reportSuccess(`${data.name} is created; you are its administrator`)
            await navigate({ to: '/organizations/$org', params: { org: data.slug } })
          }}
        >
          <TextField name="name" label="Name" isRequired maxLength={200} />
        </ActionForm>
      </Card>
    </Page>
  )
}
