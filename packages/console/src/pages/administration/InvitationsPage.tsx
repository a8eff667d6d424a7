import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type SignUpInvitation, signUpInvitationsQuery, useAdministration } from '../../api/administration.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { CopyField } from '../../components/CopyField.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { EmptyState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { TextField } from '../../components/TextField.tsx'
import { formatTime } from '../../format.ts'
import { invitationsTexts as texts } from './invitations.texts.ts'

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
    <>
      <Card title={texts.title} description={texts.description}>
        <ActionForm
          key={created}
          submitLabel={texts.submit}
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
      <Card title={texts.open}>
        <QueryState query={invitations} skeleton="rows">
          {(open) =>
            open.length === 0 ? (
              <EmptyState title={texts.none.title}>
                <p>{texts.none.hint}</p>
              </EmptyState>
            ) : (
              <Table label={texts.open} rows={open} keyOf={({ id }) => id} columns={COLUMNS} />
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
      aria-label={texts.withdraw.label(email ?? texts.anybody)}
      title={texts.withdraw.question}
      description={<p>{texts.withdraw.hint}</p>}
      confirmLabel={texts.withdraw.button}
      onConfirm={() => withdrawInvitation(id)}
      success={texts.withdraw.done}
    >
      {texts.withdraw.button}
    </ConfirmButton>
  )
}
