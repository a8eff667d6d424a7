import type { Organization } from '../../api/organizations.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Table } from '../../components/Table.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatTime } from '../../format.ts'
import { ROLE_NAMES } from './roles.ts'

export interface PendingInvitationsProps {
  readonly invitations: NonNullable<Organization['invitations']>
  readonly onResend: (id: string) => Promise<void>
  readonly onRescind: (id: string) => Promise<void>
}

/** The invitations that nobody accepted yet; each is sent again or rescinded. */
export function PendingInvitations({ invitations, onResend, onRescind }: PendingInvitationsProps) {
  if (invitations.length === 0) return <p className="muted">Nobody is invited at the moment.</p>
  return (
    <Table
      label="Pending invitations"
      rows={invitations}
      keyOf={({ id }) => id}
      columns={[
        { id: 'email', label: 'E-mail address', render: ({ email }) => email },
        { id: 'role', label: 'Role', render: (each) => ROLE_NAMES[each.role] },
        {
          id: 'expires',
          label: 'Valid until',
          render: ({ expiresAt }) => <time dateTime={expiresAt}>{formatTime(expiresAt)}</time>,
        },
        {
          id: 'actions',
          label: 'Actions',
          isLabelHidden: true,
          render: ({ id, email }) => (
            <>
              <ResendButton email={email} onResend={() => onResend(id)} />
              <ConfirmButton
                variant="quiet"
                aria-label={`Rescind the invitation of ${email}`}
                title={`Rescind the invitation of ${email}?`}
                description={<p>Its link becomes invalid.</p>}
                confirmLabel="Rescind"
                onConfirm={() => onRescind(id)}
                success={`The invitation of ${email} is rescinded`}
              >
                Rescind
              </ConfirmButton>
            </>
          ),
        },
      ]}
    />
  )
}

interface ResendButtonProps {
  readonly email: string
  readonly onResend: () => Promise<void>
}

function ResendButton({ email, onResend }: ResendButtonProps) {
  const { run, isPending } = useAction(onResend, {
    success: `A new link for ${email} is ready; the earlier one is invalid`,
    onFailure: reportFailure,
  })
  return (
    <Button variant="quiet" aria-label={`Send again to ${email}`} isPending={isPending} onPress={() => run()}>
      Send again
    </Button>
  )
}
