import { useState } from 'react'
import { type AdminUser, useAdministration } from '../../api/administration.ts'
import { ActionMenu } from '../../components/ActionMenu.tsx'
import { TextField } from '../../components/TextField.tsx'

const CONSEQUENCES = [
  'The glasses of the user are disconnected, and all apps stop.',
  'Photos, settings, transcripts, installed apps and what apps stored about the user are deleted.',
  'Apps of the user that nobody else owns are unpublished.',
  'This cannot be undone.',
] as const

const MAX_REASON_LENGTH = 2_000

/** What an administrator can do to another user. */
export function UserActions({ user }: { readonly user: AdminUser }) {
  const { suspend, reinstate, setAdministrator, deleteUser } = useAdministration()
  const [reason, setReason] = useState('')
  const { id, email, isAdministrator, suspendedAt } = user
  const rights = isAdministrator
    ? {
        button: 'Remove as administrator',
        title: `Remove ${email} as an administrator?`,
        hint: 'The account stays as it is, without the rights of an administrator.',
        success: `${email} is no longer an administrator`,
      }
    : {
        button: 'Make administrator',
        title: `Make ${email} an administrator?`,
        hint: 'Administrators manage all users, apps and sessions, and may take this right away from you.',
        success: `${email} is an administrator`,
      }
  const access =
    suspendedAt === undefined
      ? {
          title: `Suspend ${email}?`,
          description: (
            <>
              <p>
                The user is signed out everywhere at once, and cannot sign in until you end the suspension.
                Nothing is deleted.
              </p>
              <TextField
                label="Reason, for the audit log"
                value={reason}
                onChange={setReason}
                maxLength={MAX_REASON_LENGTH}
              />
            </>
          ),
          label: 'Suspend',
          confirmLabel: 'Suspend',
          onConfirm: () => suspend(id, reason.trim()),
          success: `${email} is suspended`,
        }
      : {
          title: `End the suspension of ${email}?`,
          description: <p>The user can sign in again.</p>,
          label: 'End suspension',
          confirmLabel: 'End suspension',
          onConfirm: () => reinstate(id),
          success: `${email} has access again`,
        }
  return (
    <ActionMenu
      label={`Actions for ${email}`}
      actions={[
        { id: 'access', ...access },
        {
          id: 'rights',
          label: rights.button,
          title: rights.title,
          description: <p>{rights.hint}</p>,
          confirmLabel: rights.button,
          onConfirm: () => setAdministrator(id, !isAdministrator),
          success: rights.success,
        },
        {
          id: 'delete',
          label: 'Delete',
          isDangerous: true,
          title: `Delete ${email} for good?`,
          description: (
            <ul>
              {CONSEQUENCES.map((consequence) => (
                <li key={consequence}>{consequence}</li>
              ))}
            </ul>
          ),
          confirmLabel: 'Delete everything',
          onConfirm: () => deleteUser(id),
          success: `${email} is deleted`,
        },
      ]}
    />
  )
}
