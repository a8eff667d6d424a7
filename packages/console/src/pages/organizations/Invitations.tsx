import { useState } from 'react'
import {
  type HandedInvitation,
  type Organization,
  type OrganizationRole,
  useOrganizationChanges,
} from '../../api/organizations.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { CopyField } from '../../components/CopyField.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { Table } from '../../components/Table.tsx'
import { TextField } from '../../components/TextField.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatTime } from '../../format.ts'
import styles from './HandedLink.module.css'
import { ROLE_NAMES, ROLES } from './roles.ts'

/** Invites people, hands over the link, and shows the invitations that nobody accepted yet. For administrators. */
export function Invitations({ organization }: { readonly organization: Organization }) {
  const { slug, invitations = [] } = organization
  const { invite, rescind, resend } = useOrganizationChanges()
  const [role, setRole] = useState<OrganizationRole>('member')
  const [handed, setHanded] = useState<HandedInvitation>()
  // A new key empties the form after an invitation.
  const [sent, setSent] = useState(0)

  return (
    <Card
      title="Invitations"
      description="The link of an invitation is valid for a week, for the invited address."
    >
      <ActionForm
        key={sent}
        submitLabel="Invite"
        success={(email: string) => `${email} is invited`}
        onSubmit={async (fields) => {
          const email = fields.get('email') ?? ''
          setHanded((await invite(slug, { email, role })).data)
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
      {handed !== undefined && <HandedLink invitation={handed} />}
      <h3>Pending invitations</h3>
      <PendingInvitations
        invitations={invitations}
        onResend={async (id) => setHanded((await resend(slug, id)).data)}
        onRescind={async (id) => {
          await rescind(slug, id)
          if (handed?.id === id) setHanded(undefined)
        }}
      />
    </Card>
  )
}

/** The link of an invitation for the person who invites, and whether it was sent as well. */
function HandedLink({ invitation }: { readonly invitation: HandedInvitation }) {
  const { email, link, isMailed } = invitation

  return (
    <Notice
      tone={isMailed ? 'success' : 'warning'}
      title={
        isMailed
          ? `A message with a link is on its way to ${email}. You can hand over this link as well.`
          : `No message was sent, because this cloud has no mail server. Hand over this link to ${email} yourself.`
      }
    >
      <div className={styles.link}>
        <CopyField label={`Link for ${email}, shown once`} value={link} />
      </div>
    </Notice>
  )
}

interface PendingInvitationsProps {
  readonly invitations: NonNullable<Organization['invitations']>
  readonly onResend: (id: string) => Promise<void>
  readonly onRescind: (id: string) => Promise<void>
}

/** The invitations that nobody accepted yet; each is sent again or rescinded. */
function PendingInvitations({ invitations, onResend, onRescind }: PendingInvitationsProps) {
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
