import { useState } from 'react'
import { type AdminUser, useAdministration } from '../../api/administration.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { TextField } from '../../components/TextField.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import styles from './UsersPage.module.css'

const texts = {
  promote: {
    button: 'Make administrator',
    label: (email: string) => `Make administrator: ${email}`,
    question: (email: string) => `Make ${email} an administrator?`,
    hint: 'Administrators manage all users, apps and sessions, and may take this right away from you.',
    done: (email: string) => `${email} is an administrator`,
  },
  demote: {
    button: 'Remove as administrator',
    label: (email: string) => `Remove as administrator: ${email}`,
    question: (email: string) => `Remove ${email} as an administrator?`,
    hint: 'The account stays as it is, without the rights of an administrator.',
    done: (email: string) => `${email} is no longer an administrator`,
  },
  remove: {
    consequences: [
      'The glasses of the user are disconnected, and all apps stop.',
      'Photos, settings, transcripts, installed apps and what apps stored about the user are deleted.',
      'Apps of the user that nobody else owns are unpublished.',
      'This cannot be undone.',
    ],
  },
} as const

/** What an administrator can do to another user. */
export function UserActions({ user }: { readonly user: AdminUser }) {
  const { setAdministrator, deleteUser } = useAdministration()
  const { id, email, isAdministrator } = user
  const rights = isAdministrator ? texts.demote : texts.promote
  return (
    <div className={styles.actions}>
      {user.suspendedAt === undefined ? <SuspendButton user={user} /> : <ReinstateButton user={user} />}
      <ConfirmButton
        variant="quiet"
        aria-label={rights.label(email)}
        title={rights.question(email)}
        description={<p>{rights.hint}</p>}
        confirmLabel={rights.button}
        onConfirm={() => setAdministrator(id, !isAdministrator)}
        success={rights.done(email)}
      >
        {rights.button}
      </ConfirmButton>
      <ConfirmButton
        aria-label={`Delete ${email}`}
        title={`Delete ${email} for good?`}
        description={
          <ul>
            {texts.remove.consequences.map((consequence) => (
              <li key={consequence}>{consequence}</li>
            ))}
          </ul>
        }
        confirmLabel="Delete everything"
        onConfirm={() => deleteUser(id)}
        success={`${email} was deleted`}
      >
        Delete
      </ConfirmButton>
    </div>
  )
}

function SuspendButton({ user: { id, email } }: { readonly user: AdminUser }) {
  const { suspend } = useAdministration()
  const [reason, setReason] = useState('')
  return (
    <ConfirmButton
      variant="secondary"
      aria-label={`Suspend ${email}`}
      title={`Suspend ${email}?`}
      description={
        <>
          <p>
            The user is signed out everywhere at once, and cannot sign in until you end the suspension.
            Nothing is deleted.
          </p>
          <TextField
            label="Reason, for the audit log"
            value={reason}
            onChange={setReason}
            maxLength={2_000}
          />
        </>
      }
      confirmLabel="Suspend"
      onConfirm={() => suspend(id, reason.trim())}
      success={`${email} is suspended`}
    >
      Suspend
    </ConfirmButton>
  )
}

function ReinstateButton({ user: { id, email } }: { readonly user: AdminUser }) {
  const { reinstate } = useAdministration()
  const { run, isPending } = useAction(() => reinstate(id), {
    success: `${email} has access again`,
    onFailure: reportFailure,
  })
  return (
    <Button aria-label={`End suspension of ${email}`} isPending={isPending} onPress={() => run()}>
      End suspension
    </Button>
  )
}
