import { useState } from 'react'
import { type AdminUser, useAdministration } from '../../api/administration.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { TextField } from '../../components/TextField.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import { administration } from '../../texts/administration.ts'
import styles from './UsersPage.module.css'

const texts = administration.users

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
        aria-label={texts.remove.label(email)}
        title={texts.remove.question(email)}
        description={
          <ul>
            {texts.remove.consequences.map((consequence) => (
              <li key={consequence}>{consequence}</li>
            ))}
          </ul>
        }
        confirmLabel={texts.remove.confirm}
        onConfirm={() => deleteUser(id)}
        success={texts.remove.done(email)}
      >
        {texts.remove.button}
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
      aria-label={texts.suspend.label(email)}
      title={texts.suspend.question(email)}
      description={
        <>
          <p>{texts.suspend.hint}</p>
          <TextField label={texts.suspend.reason} value={reason} onChange={setReason} maxLength={2_000} />
        </>
      }
      confirmLabel={texts.suspend.button}
      onConfirm={() => suspend(id, reason.trim())}
      success={texts.suspend.done(email)}
    >
      {texts.suspend.button}
    </ConfirmButton>
  )
}

function ReinstateButton({ user: { id, email } }: { readonly user: AdminUser }) {
  const { reinstate } = useAdministration()
  const { run, isPending } = useAction(() => reinstate(id), {
    success: texts.reinstate.done(email),
    onFailure: reportFailure,
  })
  return (
    <Button aria-label={texts.reinstate.label(email)} isPending={isPending} onPress={() => run()}>
      {texts.reinstate.button}
    </Button>
  )
}
