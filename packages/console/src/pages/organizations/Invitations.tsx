import { useState } from 'react'
import { type Organization, type OrganizationRole, useOrganizationChanges } from '../../api/organizations.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { Table } from '../../components/Table.tsx'
import { TextField } from '../../components/TextField.tsx'
import { reportFailure, reportSuccess } from '../../components/Toasts.tsx'
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

  async function sendAgain(id: string, email: string) {
    try {
      await resend(slug, id)
      reportSuccess(texts.resent(email))
    } catch (error) {
      reportFailure(error)
    }
  }

  return (
    <Card title={texts.title} description={texts.hint}>
      <ActionForm
        key={sent}
        submitLabel={texts.invite}
        onSubmit={async (fields) => {
          const email = fields.get('email') ?? ''
          await invite(slug, { email, role })
          reportSuccess(texts.invited(email))
          setSent((count) => count + 1)
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
                  <Button
                    variant="quiet"
                    aria-label={texts.resendTo(email)}
                    onPress={() => void sendAgain(id, email)}
                  >
                    {texts.resend}
                  </Button>
                  <ConfirmButton
                    variant="quiet"
                    aria-label={texts.rescindFor(email)}
                    title={texts.rescindQuestion(email)}
                    description={<p>{texts.rescindHint}</p>}
                    confirmLabel={texts.rescind}
                    onConfirm={async () => {
                      await rescind(slug, id)
                      reportSuccess(texts.rescinded(email))
                    }}
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
