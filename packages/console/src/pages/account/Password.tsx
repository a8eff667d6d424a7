import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { signInMethodsQuery, useChangePassword } from '../../api/security.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { TextField } from '../../components/TextField.tsx'
import { security } from '../../texts/security.ts'
import { NewPasswordField } from '../sign-in/credential-fields.tsx'

const texts = security.password

/** Changes the password, or says how to get one. */
export function Password() {
  const methods = useQuery(signInMethodsQuery)
  const changePassword = useChangePassword()
  // A new form after each change, so that no password stays in it.
  const [changes, setChanges] = useState(0)
  return (
    <Card title={texts.title}>
      <QueryState query={methods}>
        {({ hasPassword }) =>
          hasPassword ? (
            <>
              <p className="muted">{texts.description}</p>
              <ActionForm
                key={changes}
                submitLabel={texts.change}
                success={texts.changed}
                onSubmit={async (fields) => {
                  const currentPassword = fields.get('currentPassword') ?? ''
                  const newPassword = fields.get('password') ?? ''
                  await changePassword({ currentPassword, newPassword })
                  setChanges(changes + 1)
                }}
              >
                <TextField
                  name="currentPassword"
                  type="password"
                  label={texts.current}
                  autoComplete="current-password"
                  isRequired
                />
                <NewPasswordField label={texts.new} />
              </ActionForm>
            </>
          ) : (
            <>
              <p>{texts.none}</p>
              <div>
                <LinkButton to="/reset-password">{texts.set}</LinkButton>
              </div>
            </>
          )
        }
      </QueryState>
    </Card>
  )
}
