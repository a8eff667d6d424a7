import { useNavigate, useRouteContext } from '@tanstack/react-router'
import { type Organization, type OrganizationRole, useOrganizationChanges } from '../../api/organizations.ts'
import { Badge } from '../../components/Badge.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { Table } from '../../components/Table.tsx'
import { reportFailure, reportSuccess } from '../../components/Toasts.tsx'
import { formatTime } from '../../texts/format.ts'
import { organizations } from '../../texts/organizations.ts'

const texts = organizations.members

const ROLES = (['admin', 'member'] as const).map((value) => ({ value, label: organizations.roles[value] }))

/** The members of an organization. Administrators change roles and remove members; everyone can leave. */
export function Members({ organization }: { readonly organization: Organization }) {
  const { slug, name, role: ownRole, members } = organization
  const { user } = useRouteContext({ from: '/signed-in' })
  const { setRole, removeMember, leave } = useOrganizationChanges()
  const navigate = useNavigate()
  const isAdmin = ownRole === 'admin'
  const isLastAdmin = members.filter(({ role }) => role === 'admin').length === 1

  async function changeRole({ userId, email }: Organization['members'][number], role: OrganizationRole) {
    try {
      await setRole(slug, userId, role)
      reportSuccess(texts.changed(email, organizations.roles[role]))
    } catch (error) {
      reportFailure(error)
    }
  }

  return (
    <Card title={texts.title} description={organizations.roleHints}>
      <Table
        label={texts.title}
        rows={members}
        keyOf={({ userId }) => userId}
        columns={[
          {
            id: 'person',
            label: texts.columns.person,
            render: ({ name: person, email }) => (
              <>
                {person || email} {email === user.email && <Badge>{texts.you}</Badge>}
                {person && <div className="muted">{email}</div>}
              </>
            ),
          },
          {
            id: 'role',
            label: texts.columns.role,
            render: (member) =>
              isAdmin ? (
                <Select
                  label={texts.roleOf(member.email)}
                  isLabelHidden
                  options={ROLES}
                  value={member.role}
                  isDisabled={isLastAdmin && member.role === 'admin'}
                  onChange={(role) => void changeRole(member, role)}
                />
              ) : (
                organizations.roles[member.role]
              ),
          },
          {
            id: 'joined',
            label: texts.columns.joined,
            render: ({ joinedAt }) => <time dateTime={joinedAt}>{formatTime(joinedAt)}</time>,
          },
          {
            id: 'actions',
            label: texts.columns.actions,
            isLabelHidden: true,
            render: ({ userId, email, role }) => {
              if (email === user.email)
                return (
                  <ConfirmButton
                    variant="quiet"
                    isDisabled={isLastAdmin && role === 'admin'}
                    title={texts.leaveQuestion(name)}
                    description={<p>{texts.leaveHint}</p>}
                    confirmLabel={texts.leave}
                    onConfirm={async () => {
                      await leave(slug, userId, () => navigate({ to: '/organizations' }))
                      reportSuccess(texts.left(name))
                    }}
                  >
                    {texts.leave}
                  </ConfirmButton>
                )
              if (!isAdmin) return null
              return (
                <ConfirmButton
                  variant="quiet"
                  aria-label={texts.removeMember(email)}
                  title={texts.removeQuestion(email)}
                  description={<p>{texts.removeHint}</p>}
                  confirmLabel={texts.remove}
                  onConfirm={async () => {
                    await removeMember(slug, userId)
                    reportSuccess(texts.removed(email))
                  }}
                >
                  {texts.remove}
                </ConfirmButton>
              )
            },
          },
        ]}
      />
      {isAdmin && isLastAdmin && <p className="muted">{texts.lastAdmin}</p>}
    </Card>
  )
}
