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
import { ROLE_NAMES, ROLES } from './roles.ts'

/** The members of an organization. Administrators change roles and remove members; everyone can leave. */
export function Members({ organization }: { readonly organization: Organization }) {
  const { slug, name, role: ownRole, members } = organization
  const { user } = useRouteContext({ from: '/signed-in' })
  const { setRole, removeMember, leave } = useOrganizationChanges()
  const navigate = useNavigate()
  const isAdmin = ownRole === 'admin'
  const isLastAdmin = members.filter(({ role }) => role === 'admin').length === 1

  return (
    <Card
      title="Members"
      description="Members change and publish apps; administrators also move and delete them, and manage members."
    >
      <Table
        label="Members"
        rows={members}
        keyOf={({ userId }) => userId}
        columns={[
          {
            id: 'person',
            label: 'Person',
            render: ({ name: person, email }) => (
              <>
                {person || email} {email === user.email && <Badge>You</Badge>}
                {person && <div className="muted">{email}</div>}
              </>
            ),
          },
          {
            id: 'role',
            label: 'Role',
            render: (member) =>
              isAdmin ? (
                <RoleSelect
                  member={member}
                  isDisabled={isLastAdmin && member.role === 'admin'}
                  onChange={(role) => setRole(slug, member.userId, role)}
                />
              ) : (
                ROLE_NAMES[member.role]
              ),
          },
          {
            id: 'joined',
            label: 'Joined',
            render: ({ joinedAt }) => <time dateTime={joinedAt}>{formatTime(joinedAt)}</time>,
          },
          {
            id: 'actions',
            label: 'Actions',
            isLabelHidden: true,
            render: ({ userId, email, role }) => {
              if (email === user.email)
                return (
                  <ConfirmButton
                    variant="quiet"
                    isDisabled={isLastAdmin && role === 'admin'}
                    title={`Leave ${name}?`}
                    description={
                      <p>You lose the access to its apps. To come back, you need an invitation.</p>
                    }
                    confirmLabel="Leave"
                    onConfirm={() => leave(slug, userId, () => navigate({ to: '/organizations' }))}
                    success={`You have left ${name}`}
                  >
                    Leave
                  </ConfirmButton>
                )
              if (!isAdmin) return null
              return (
                <ConfirmButton
                  variant="quiet"
                  aria-label={`Remove ${email}`}
                  title={`Remove ${email}?`}
                  description={<p>This person loses the access to all apps of the organization at once.</p>}
                  confirmLabel="Remove"
                  onConfirm={() => removeMember(slug, userId)}
                  success={`${email} is removed`}
                >
                  Remove
                </ConfirmButton>
              )
            },
          },
        ]}
      />
      {isAdmin && isLastAdmin && (
        <p className="muted">
          An organization keeps at least one administrator. Make another member administrator first.
        </p>
      )}
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
    success: (_, changed) => `${email} is now ${ROLE_NAMES[changed]}`,
    onFailure: reportFailure,
  })
  return (
    <Select
      label={`Role of ${email}`}
      isLabelHidden
      options={ROLES}
      value={role}
      isDisabled={isDisabled}
      onChange={run}
    />
  )
}
