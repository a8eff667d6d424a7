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
import { formatTime } from '../../texts/format.ts'
import { organizations as texts } from '../../texts/organizations.ts'

/** The organizations of the user, and a form that creates another one. */
export function OrganizationsPage() {
  const organizations = useQuery(organizationsQuery)
  const { create } = useOrganizationChanges()
  const navigate = useNavigate()
  return (
    <Page title={texts.title} description={texts.description}>
      <QueryState query={organizations}>
        {(own) =>
          own.length === 0 ? (
            <EmptyState title={texts.empty.title}>
              <p>{texts.empty.hint}</p>
            </EmptyState>
          ) : (
            <Table
              label={texts.list}
              rows={own}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: 'name',
                  label: texts.columns.name,
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
                { id: 'role', label: texts.columns.role, render: ({ role }) => texts.roles[role] },
                {
                  id: 'made',
                  label: texts.columns.made,
                  render: ({ createdAt }) => <time dateTime={createdAt}>{formatTime(createdAt)}</time>,
                },
              ]}
            />
          )
        }
      </QueryState>
      <Card title={texts.create.title}>
        <ActionForm
          submitLabel={texts.create.submit}
          onSubmit={async (fields) => {
            const { data } = await create(fields.get('name') ?? '')
            reportSuccess(texts.created(data.name))
            await navigate({ to: '/organizations/$org', params: { org: data.slug } })
          }}
        >
          <TextField name="name" label={texts.create.name} isRequired maxLength={200} />
        </ActionForm>
      </Card>
    </Page>
  )
}
