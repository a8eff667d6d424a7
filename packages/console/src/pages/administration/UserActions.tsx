import { useState } from 'react'
import { type AdminUser, useAdministration } from '../../api/administration.ts'
import { ActionMenu } from '../../components/ActionMenu.tsx'
import { TextField } from '../../components/TextField.tsx'
import { usersTexts as texts } from './users.texts.ts'

const MAX_REASON_LENGTH = 2_000

/** What an administrator can do to another user. */
export function UserActions({ user }: { readonly user: AdminUser }) {
  const { suspend, reinstate, setAdministrator, deleteUser } = useAdministration()
  const [reason, setReason] = useState('')
  const { id, email, isAdministrator, suspendedAt } = user
  const rights = isAdministrator ? texts.demote : texts.promote
  const access =
    suspendedAt === undefined
      ? {
          title: texts.suspend.question(email),
          description: (
            <>
              <p>{texts.suspend.hint}</p>
              <TextField
                label={texts.suspend.reason}
                value={reason}
                onChange={setReason}
                maxLength={MAX_REASON_LENGTH}
              />
            </>
          ),
          label: texts.suspend.button,
          confirmLabel: texts.suspend.button,
          onConfirm: () => suspend(id, reason.trim()),
          success: texts.suspend.done(email),
        }
      : {
          title: texts.reinstate.question(email),
          description: <p>{texts.reinstate.hint}</p>,
          label: texts.reinstate.button,
          confirmLabel: texts.reinstate.button,
          onConfirm: () => reinstate(id),
          success: texts.reinstate.done(email),
        }
  return (
    <ActionMenu
      label={texts.actionsFor(email)}
      actions={[
        { id: 'access', ...access },
        {
          id: 'rights',
          label: rights.button,
          title: rights.question(email),
          description: <p>{rights.hint}</p>,
          confirmLabel: rights.button,
          onConfirm: () => setAdministrator(id, !isAdministrator),
          success: rights.done(email),
        },
        {
          id: 'delete',
          label: texts.remove.button,
          isDangerous: true,
          title: texts.remove.question(email),
          description: (
            <ul>
              {texts.remove.consequences.map((consequence) => (
                <li key={consequence}>{consequence}</li>
              ))}
            </ul>
          ),
          confirmLabel: texts.remove.confirm,
          onConfirm: () => deleteUser(id),
          success: texts.remove.done(email),
        },
      ]}
    />
  )
}
