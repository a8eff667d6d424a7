import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type SignUpInvitation, signUpInvitationsQuery, useAdministration } from '../../api/administration.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { CopyField } from '../../components/CopyField.tsx'
import { Card } from '../../components/Page.tsx'
import { EmptyState, QueryState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { TextField } from '../../components/TextField.tsx'
import { formatTime } from '../../format.ts'

const COLUMNS: readonly Column<SignUpInvitation>[] = [
  { id: 'email', label: 'For', render: ({ email }) => email ?? 'Anybody with the link' },
  {
    id: 'created',
    label: 'Created',
    render: ({ createdAt }) => <time dateTime={createdAt}>{formatTime(createdAt)}</time>,
  },
  {
    id: 'expires',
    label: 'Expires',
    render: ({ expiresAt }) => <time dateTime={expiresAt}>{formatTime(expiresAt)}</time>,
  },
  {
    id: 'actions',
    label: 'Actions',
    isLabelHidden: true,
    render: (invitation) => <WithdrawButton invitation={invitation} />,
  },
]

/** Invites people to create an account, and withdraws invitations. */
export function InvitationsPage() {
  const invitations = useQuery(signUpInvitationsQuery)
  const { invite } = useAdministration()
  const [link, setLink] = useState<string>()
  // A new key empties the form after an invitation.
  const [created, setCreated] = useState(0)
  return (
    <>
      <Card
        title="Invitations to sign up"
        description="With SIGN_UP=invite, people need an invitation to create an account. It is valid for 7 days."
      >
        <ActionForm
          key={created}
          submitLabel="Invite"
          success="Invitation created"
          onSubmit={async (fields) => {
            const invitation = await invite(fields.get('email') ?? '')
            setLink(invitation.link)
            setCreated((count) => count + 1)
          }}
        >
          <TextField
            name="email"
            type="email"
            label="E-mail address"
            description="Empty: anybody with the link can use it, once."
            autoComplete="off"
            maxLength={254}
          />
        </ActionForm>
        {link !== undefined && <CopyField label="Link of the invitation, shown once" value={link} />}
      </Card>
      <Card title="Open invitations">
        <QueryState query={invitations} skeleton="rows">
          {(open) =>
            open.length === 0 ? (
              <EmptyState title="No open invitations">
                <p>Those that nobody has used yet appear here.</p>
              </EmptyState>
            ) : (
              <Table label="Open invitations" rows={open} keyOf={({ id }) => id} columns={COLUMNS} />
            )
          }
        </QueryState>
      </Card>
    </>
  )
}

function WithdrawButton({ invitation: { id, email } }: { readonly invitation: SignUpInvitation }) {
  const { withdrawInvitation } = useAdministration()
  return (
    <ConfirmButton
      variant="secondary"
      aria-label={`Withdraw the invitation for ${email ?? 'Anybody with the link'}`}
      title="Withdraw this invitation?"
      description={<p>Its link no longer works.</p>}
      confirmLabel="Withdraw"
      onConfirm={() => withdrawInvitation(id)}
      success="Invitation withdrawn"
    >
      Withdraw
    </ConfirmButton>
  )
}
