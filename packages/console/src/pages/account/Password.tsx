import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { signInMethodsQuery, useChangePassword } from '../../api/security.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Checkbox } from '../../components/Checkbox.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { NewPasswordField } from '../sign-in/NewPasswordField.tsx'
import { PasswordField } from '../sign-in/PasswordField.tsx'
import { passwordTexts } from './security.texts.ts'

/** Changes the password, or says how to get one. */
export function Password() {
  const methods = useQuery(signInMethodsQuery)
  const { user } = useRouteContext({ from: '/signed-in' })
  const changePassword = useChangePassword()
  // A new form after each change, so that no password stays in it.
  const [changes, setChanges] = useState(0)
  return (
    <Card title={passwordTexts.title}>
      <QueryState query={methods} skeleton="form">
        {({ hasPassword }) =>
          hasPassword ? (
            <>
              <p className="muted">{passwordTexts.hint}</p>
              <ActionForm
                key={changes}
                submitLabel={passwordTexts.submit}
                success={passwordTexts.changed}
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
                  label={passwordTexts.current}
                  autoComplete="current-password"
                  isRequired
                />
                <NewPasswordField label={passwordTexts.new} email={user.email} />
                <Checkbox name="revokePersonalTokens" value="yes" defaultSelected>
                  {passwordTexts.revokeTokens}
                </Checkbox>
              </ActionForm>
            </>
          ) : (
            <>
              <p>{passwordTexts.none}</p>
              <div>
                <LinkButton to="/reset-password">{passwordTexts.set}</LinkButton>
              </div>
            </>
          )
        }
      </QueryState>
    </Card>
  )
}
