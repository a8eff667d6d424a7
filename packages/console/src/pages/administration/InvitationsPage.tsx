import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type SignUpInvitation, signUpInvitationsQuery, useAdministration } from '../../api/administration.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { CopyField } from '../../components/CopyField.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { TextField } from '../../components/TextField.tsx'
import { administration } from '../../texts/administration.ts'
import { formatTime } from '../../texts/format.ts'
import { AdministrationFrame } from './AdministrationFrame.tsx'

const texts = administration.invitations

const COLUMNS: readonly Column<SignUpInvitation>[] = [
  { id: 'email', label: texts.columns.email, render: ({ email }) => email ?? texts.anybody },
  {
    id: 'created',
    label: texts.columns.created,
    render: ({ createdAt }) => <time dateTime={createdAt}>{formatTime(createdAt)}</time>,
  },
  {
    id: 'expires',
    label: texts.columns.expires,
    render: ({ expiresAt }) => <time dateTime={expiresAt}>{formatTime(expiresAt)}</time>,
  },
  {
    id: 'actions',
    label: texts.columns.actions,
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
    <AdministrationFrame>
      <Card title={texts.title} description={texts.description}>
        <ActionForm
          key={created}
          submitLabel={texts.create}
          success={texts.created}
          onSubmit={async (fields) => {
            const invitation = await invite(fields.get('email') ?? '')
            setLink(invitation.link)
            setCreated((count) => count + 1)
          }}
        >
          <TextField
            name="email"
            type="email"
            label={texts.email}
            description={texts.emailHint}
            autoComplete="off"
            maxLength={254}
          />
        </ActionForm>
        {link !== undefined && <CopyField label={texts.link} value={link} />}
      </Card>
      <Card title={texts.list}>
        <QueryState query={invitations}>
          {(open) =>
            open.length === 0 ? (
              <p className="muted">{texts.none}</p>
            ) : (
              <Table label={texts.list} rows={open} keyOf={({ id }) => id} columns={COLUMNS} />
            )
          }
        </QueryState>
      </Card>
    </AdministrationFrame>
  )
}

function WithdrawButton({ invitation: { id, email } }: { readonly invitation: SignUpInvitation }) {
  const { withdrawInvitation } = useAdministration()
  return (
    <ConfirmButton
      variant="secondary"
      aria-label={texts.withdrawLabel(email ?? texts.anybody)}
      title={texts.withdrawQuestion}
      description={<p>{texts.withdrawHint}</p>}
      confirmLabel={texts.withdraw}
      onConfirm={() => withdrawInvitation(id)}
      success={texts.withdrawn}
    >
      {texts.withdraw}
    </ConfirmButton>
  )
}
