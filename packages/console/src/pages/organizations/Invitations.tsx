import { useState } from 'react'
import { type Organization, type OrganizationRole, useOrganizationChanges } from '../../api/organizations.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { Table } from '../../components/Table.tsx'
import { TextField } from '../../components/TextField.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatTime } from '../../format.ts'
import { ROLE_NAMES, ROLES } from './roles.ts'

const texts = { invited: (email: string) => `${email} is invited` } as const

/** Invites people by e-mail, and shows the invitations that nobody accepted yet. For administrators. */
export function Invitations({ organization }: { readonly organization: Organization }) {
  const { slug, invitations = [] } = organization
  const { invite, resend, rescind } = useOrganizationChanges()
  const [role, setRole] = useState<OrganizationRole>('member')
  // A new key empties the form after an invitation.
  const [sent, setSent] = useState(0)

  return (
    <Card
      title="Invitations"
      description="The person gets a link by e-mail that is valid for a week. Without a mail server, the link is in the log of the cloud."
    >
      <ActionForm
        key={sent}
        submitLabel="Invite"
        success={texts.invited}
        onSubmit={async (fields) => {
          const email = fields.get('email') ?? ''
          await invite(slug, { email, role })
          setSent((count) => count + 1)
          return email
        }}
      >
        <TextField
          name="email"
          type="email"
          label="E-mail address"
          isRequired
          autoComplete="off"
          maxLength={254}
        />
        <Select label="Role" options={ROLES} value={role} onChange={setRole} />
      </ActionForm>
      <h3>Pending invitations</h3>
      {invitations.length === 0 ? (
        <p className="muted">Nobody is invited at the moment.</p>
      ) : (
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
                  <ResendButton email={email} onResend={() => resend(slug, id)} />
                  <ConfirmButton
                    variant="quiet"
                    aria-label={`Rescind the invitation of ${email}`}
                    title={`Rescind the invitation of ${email}?`}
                    description={<p>The link in the mail becomes invalid.</p>}
                    confirmLabel="Rescind"
                    onConfirm={() => rescind(slug, id)}
                    success={`The invitation of ${email} is rescinded`}
                  >
                    Rescind
                  </ConfirmButton>
                </>
              ),
            },
          ]}
        />
      )}
    </Card>
  )
}

interface ResendButtonProps {
  readonly email: string
  readonly onResend: () => Promise<unknown>
}

function ResendButton({ email, onResend }: ResendButtonProps) {
  const { run, isPending } = useAction(onResend, {
    success: `A new link is sent to ${email}; the earlier one is invalid`,
    onFailure: reportFailure,
  })
  return (
    <Button variant="quiet" aria-label={`Send again to ${email}`} isPending={isPending} onPress={() => run()}>
      Send again
    </Button>
  )
}
