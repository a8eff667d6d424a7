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
import { formatTime } from '../../texts/format.ts'
import { organizations } from '../../texts/organizations.ts'

const texts = organizations.invitations

const ROLES = (['member', 'admin'] as const).map((value) => ({ value, label: organizations.roles[value] }))

/** Invites people by e-mail, and shows the invitations that nobody accepted yet. For administrators. */
export function Invitations({ organization }: { readonly organization: Organization }) {
  const { slug, invitations = [] } = organization
  const { invite, resend, rescind } = useOrganizationChanges()
  const [role, setRole] = useState<OrganizationRole>('member')
  // A new key empties the form after an invitation.
  const [sent, setSent] = useState(0)

  return (
    <Card title={texts.title} description={texts.hint}>
      <ActionForm
        key={sent}
        submitLabel={texts.invite}
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
          label={texts.email}
          isRequired
          autoComplete="off"
          maxLength={254}
        />
        <Select label={texts.role} options={ROLES} value={role} onChange={setRole} />
      </ActionForm>
      <h3>{texts.pending}</h3>
      {invitations.length === 0 ? (
        <p className="muted">{texts.none}</p>
      ) : (
        <Table
          label={texts.pending}
          rows={invitations}
          keyOf={({ id }) => id}
          columns={[
            { id: 'email', label: texts.columns.email, render: ({ email }) => email },
            { id: 'role', label: texts.columns.role, render: (each) => organizations.roles[each.role] },
            {
              id: 'expires',
              label: texts.columns.expires,
              render: ({ expiresAt }) => <time dateTime={expiresAt}>{formatTime(expiresAt)}</time>,
            },
            {
              id: 'actions',
              label: texts.columns.actions,
              isLabelHidden: true,
              render: ({ id, email }) => (
                <>
                  <ResendButton email={email} onResend={() => resend(slug, id)} />
                  <ConfirmButton
                    variant="quiet"
                    aria-label={texts.rescindFor(email)}
                    title={texts.rescindQuestion(email)}
                    description={<p>{texts.rescindHint}</p>}
                    confirmLabel={texts.rescind}
                    onConfirm={() => rescind(slug, id)}
                    success={texts.rescinded(email)}
                  >
                    {texts.rescind}
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
  const { run, isPending } = useAction(onResend, { success: texts.resent(email), onFailure: reportFailure })
  return (
    <Button variant="quiet" aria-label={texts.resendTo(email)} isPending={isPending} onPress={() => run()}>
      {texts.resend}
    </Button>
  )
}
