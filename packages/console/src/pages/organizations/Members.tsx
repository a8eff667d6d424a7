import { useNavigate, useRouteContext } from '@tanstack/react-router'
import { type Organization, type OrganizationRole, useOrganizationChanges } from '../../api/organizations.ts'
import { Badge } from '../../components/Badge.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { Table } from '../../components/Table.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatTime } from '../../format.ts'
import { memberTexts, roleTexts } from './organizations.texts.ts'
import { ROLES } from './roles.ts'

/** The members of an organization. Administrators change roles and remove members; everyone can leave. */
export function Members({ organization }: { readonly organization: Organization }) {
  const { slug, name, role: ownRole, members } = organization
  const { user } = useRouteContext({ from: '/signed-in' })
  const { setRole, removeMember, leave } = useOrganizationChanges()
  const navigate = useNavigate()
  const isAdmin = ownRole === 'admin'
  const isLastAdmin = members.filter(({ role }) => role === 'admin').length === 1

  return (
    <Card title={memberTexts.title} description={memberTexts.description}>
      <Table
        label={memberTexts.title}
        rows={members}
        keyOf={({ userId }) => userId}
        columns={[
          {
            id: 'person',
            label: memberTexts.columns.person,
            render: ({ name: person, email }) => (
              <>
                {person || email} {email === user.email && <Badge>{memberTexts.you}</Badge>}
                {person && <div className="muted">{email}</div>}
              </>
            ),
          },
          {
            id: 'role',
            label: memberTexts.columns.role,
            render: (member) =>
              isAdmin ? (
                <RoleSelect
                  member={member}
                  isDisabled={isLastAdmin && member.role === 'admin'}
                  onChange={(role) => setRole(slug, member.userId, role)}
                />
              ) : (
                roleTexts[member.role]
              ),
          },
          {
            id: 'joined',
            label: memberTexts.columns.joined,
            render: ({ joinedAt }) => <time dateTime={joinedAt}>{formatTime(joinedAt)}</time>,
          },
          {
            id: 'actions',
            label: memberTexts.columns.actions,
            isLabelHidden: true,
            render: ({ userId, email, role }) => {
              if (email === user.email)
                return (
                  <ConfirmButton
                    variant="quiet"
                    isDisabled={isLastAdmin && role === 'admin'}
                    title={memberTexts.leaveQuestion(name)}
                    description={<p>{memberTexts.leaveConsequence}</p>}
                    confirmLabel={memberTexts.leave}
                    onConfirm={() => leave(slug, userId, () => navigate({ to: '/organizations' }))}
                    success={memberTexts.left(name)}
                  >
                    {memberTexts.leave}
                  </ConfirmButton>
                )
              if (!isAdmin) return null
              return (
                <ConfirmButton
                  variant="quiet"
                  aria-label={memberTexts.removeLabel(email)}
                  title={memberTexts.removeQuestion(email)}
                  description={<p>{memberTexts.removeConsequence}</p>}
                  confirmLabel={memberTexts.remove}
                  onConfirm={() => removeMember(slug, userId)}
                  success={memberTexts.removed(email)}
                >
                  {memberTexts.remove}
                </ConfirmButton>
              )
            },
          },
        ]}
      />
      {isAdmin && isLastAdmin && <p className="muted">{memberTexts.lastAdministrator}</p>}
    </Card>
  )
}

interface RoleSelectProps {
  readonly member: Organization['members'][number]
  readonly isDisabled: boolean
  readonly onChange: (role: OrganizationRole) => Promise<unknown>
}

function RoleSelect({ member: { email, role }, isDisabled, onChange }: RoleSelectProps) {
  const { run, isPending } = useAction(onChange, {
    success: (_, changed) => memberTexts.roleChanged(email, roleTexts[changed]),
    onFailure: reportFailure,
  })
  return (
    <Select
      label={memberTexts.roleOf(email)}
      isLabelHidden
      options={ROLES}
      value={role}
      isDisabled={isDisabled || isPending}
      onChange={run}
    />
  )
}
