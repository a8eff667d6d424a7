import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { signInMethodsQuery, useChangePassword } from '../../api/security.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { LinkButton } from '../../components/Button.tsx'
import { Checkbox } from '../../components/Checkbox.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/States.tsx'
import { NewPasswordField } from '../sign-in/NewPasswordField.tsx'
import { PasswordField } from '../sign-in/PasswordField.tsx'

/** Changes the password, or says how to get one. */
export function Password() {
  const methods = useQuery(signInMethodsQuery)
  const { user } = useRouteContext({ from: '/signed-in' })
  const changePassword = useChangePassword()
  // A new form after each change, so that no password stays in it.
  const [changes, setChanges] = useState(0)
  return (
    <Card title="Password">
      <QueryState query={methods} skeleton="form">
        {({ hasPassword }) =>
          hasPassword ? (
            <>
              <p className="muted">Changing it signs you out everywhere else.</p>
              <ActionForm
                key={changes}
                submitLabel="Change the password"
                success="Password changed"
                onSubmit={async (fields) => {
                  const currentPassword = fields.get('currentPassword') ?? ''
                  const newPassword = fields.get('password') ?? ''
                  const revokePersonalTokens = fields.has('revokePersonalTokens')
                  await changePassword({ currentPassword, newPassword, revokePersonalTokens })
                  setChanges(changes + 1)
                }}
              >
                <PasswordField
                  name="currentPassword"
                  label="Current password"
                  autoComplete="current-password"
                  isRequired
                />
                <NewPasswordField label="New password" email={user.email} />
                <Checkbox name="revokePersonalTokens" value="yes" defaultSelected>
                  Revoke my personal access tokens
                </Checkbox>
              </ActionForm>
            </>
          ) : (
            <>
              <p>You sign in without a password. A link that is sent to your address sets one.</p>
              <div>
                <LinkButton to="/reset-password">Set a password</LinkButton>
              </div>
            </>
          )
        }
      </QueryState>
    </Card>
  )
}
