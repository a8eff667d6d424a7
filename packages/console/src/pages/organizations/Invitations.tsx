import { useState } from 'react'
import {
  type HandedInvitation,
  type Organization,
  type OrganizationRole,
  useOrganizationChanges,
} from '../../api/organizations.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { TextField } from '../../components/TextField.tsx'
import { HandedLink } from './HandedLink.tsx'
import { PendingInvitations } from './PendingInvitations.tsx'
import { ROLES } from './roles.ts'

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
