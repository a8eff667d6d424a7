import type { Organization } from '../../api/organizations.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Table } from '../../components/Table.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatTime } from '../../format.ts'
import { invitationTexts, roleTexts } from './organizations.texts.ts'

export interface PendingInvitationsProps {
  readonly invitations: NonNullable<Organization['invitations']>
  readonly onResend: (id: string) => Promise<void>
  readonly onRescind: (id: string) => Promise<void>
}

/** The invitations that nobody accepted yet; each is sent again or rescinded. */
export function PendingInvitations({ invitations, onResend, onRescind }: PendingInvitationsProps) {
  if (invitations.length === 0) return <p className="muted">{invitationTexts.none}</p>
  return (
    <Table
      label={invitationTexts.pending}
      rows={invitations}
      keyOf={({ id }) => id}
      columns={[
        { id: 'email', label: invitationTexts.email, render: ({ email }) => email },
        { id: 'role', label: invitationTexts.columns.role, render: (each) => roleTexts[each.role] },
        {
          id: 'expires',
          label: invitationTexts.columns.expires,
          render: ({ expiresAt }) => <time dateTime={expiresAt}>{formatTime(expiresAt)}</time>,
        },
        {
          id: 'actions',
          label: invitationTexts.columns.actions,
          isLabelHidden: true,
          render: ({ id, email }) => (
            <>
              <ResendButton email={email} onResend={() => onResend(id)} />
              <ConfirmButton
                variant="quiet"
                aria-label={invitationTexts.rescindLabel(email)}
                title={invitationTexts.rescindQuestion(email)}
                description={<p>{invitationTexts.rescindConsequence}</p>}
                confirmLabel={invitationTexts.rescind}
                onConfirm={() => onRescind(id)}
                success={invitationTexts.rescinded(email)}
              >
                {invitationTexts.rescind}
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
    success: invitationTexts.resent(email),
    onFailure: reportFailure,
  })
  return (
    <Button
      variant="quiet"
      aria-label={invitationTexts.resendLabel(email)}
      isPending={isPending}
      onPress={() => run()}
    >
      {invitationTexts.resend}
    </Button>
  )
}
