import { useNavigate, useRouteContext } from '@tanstack/react-router'
import { type Organization, type OrganizationRole, useOrganizationChanges } from '../../api/organizations.ts'
import { Badge } from '../../components/Badge.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { Table } from '../../components/Table.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
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
                <RoleSelect
                  member={member}
                  isDisabled={isLastAdmin && member.role === 'admin'}
                  onChange={(role) => setRole(slug, member.userId, role)}
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
                    onConfirm={() => leave(slug, userId, () => navigate({ to: '/organizations' }))}
                    success={texts.left(name)}
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
                  onConfirm={() => removeMember(slug, userId)}
                  success={texts.removed(email)}
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

interface RoleSelectProps {
  readonly member: Organization['members'][number]
  readonly isDisabled: boolean
  readonly onChange: (role: OrganizationRole) => Promise<unknown>
}

function RoleSelect({ member: { email, role }, isDisabled, onChange }: RoleSelectProps) {
  const { run } = useAction(onChange, {
    success: (_, changed) => texts.changed(email, organizations.roles[changed]),
    onFailure: reportFailure,
  })
  return (
    <Select
      label={texts.roleOf(email)}
      isLabelHidden
      options={ROLES}
      value={role}
      isDisabled={isDisabled}
      onChange={run}
    />
  )
}
