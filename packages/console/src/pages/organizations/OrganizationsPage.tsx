import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { organizationsQuery, useOrganizationChanges } from '../../api/organizations.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Card, Page } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { EmptyState } from '../../components/States.tsx'
import { Table } from '../../components/Table.tsx'
import { TextField } from '../../components/TextField.tsx'
import { reportSuccess } from '../../components/Toasts.tsx'
import { formatTime } from '../../format.ts'
import { organizationsTexts, roleTexts } from './organizations.texts.ts'

/** The organizations of the user, and a form that creates another one. */
export function OrganizationsPage() {
  const organizations = useQuery(organizationsQuery)
  const { create } = useOrganizationChanges()
  const navigate = useNavigate()
  return (
    <Page title={organizationsTexts.title} description={organizationsTexts.description}>
      <QueryState query={organizations} skeleton="rows">
        {(own) =>
          own.length === 0 ? (
            <EmptyState title={organizationsTexts.none.title}>
              <p>{organizationsTexts.none.text}</p>
            </EmptyState>
          ) : (
            <Table
              label={organizationsTexts.list}
              rows={own}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: 'name',
                  label: organizationsTexts.columns.name,
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
                { id: 'role', label: organizationsTexts.columns.role, render: ({ role }) => roleTexts[role] },
                {
                  id: 'made',
                  label: organizationsTexts.columns.created,
                  render: ({ createdAt }) => <time dateTime={createdAt}>{formatTime(createdAt)}</time>,
                },
              ]}
            />
          )
        }
      </QueryState>
      <Card title={organizationsTexts.create.title}>
        <ActionForm
          submitLabel={organizationsTexts.create.submit}
          onSubmit={async (fields) => {
            const { data } = await create(fields.get('name') ?? '')
            reportSuccess(organizationsTexts.created(data.name))
            await navigate({ to: '/organizations/$org', params: { org: data.slug } })
          }}
        >
          <TextField name="name" label={organizationsTexts.create.name} isRequired maxLength={200} />
        </ActionForm>
      </Card>
    </Page>
  )
}
