import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { ApiError } from '../../api/api-error.ts'
import { api, unwrap } from '../../api/client.ts'
import formStyles from '../../components/ActionForm.module.css'
import { Button } from '../../components/Button.tsx'
import { Actions } from '../../components/Modal.tsx'
import { Notice } from '../../components/Notice.tsx'
import { TextField } from '../../components/TextField.tsx'
import { reportSuccess } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'

export interface DeletionFormProps {
  readonly email: string
  readonly onCancel: () => void
  /** Called if the sign-in is no longer recent. */
  readonly onTooOld: () => void
}

/** Deletes the account once its address was typed. */
export function DeletionForm({ email, onCancel, onTooOld }: DeletionFormProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const { run, isPending, error } = useAction(
    async () => {
      await unwrap(api.POST('/api/account/request-deletion', { body: { email: typed } }))
      queryClient.clear()
      await navigate({ to: '/sign-in' })
      reportSuccess('Your account is deleted')
    },
    {
      onFailure: (failure) => {
        if (failure instanceof ApiError && failure.status === 403) onTooOld()
      },
    },
  )
  const isRight = typed.trim().toLowerCase() === email
  return (
    <Form
      className={formStyles.form ?? ''}
      onSubmit={(event) => {
        event.preventDefault()
        if (isRight) run()
      }}
    >
      <TextField
        label={`Type ${email} to confirm`}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
        error={
          typed.length >= email.length && !isRight ? 'This is not the address of your account' : undefined
        }
        autoFocus
      />
      {error !== undefined && <Notice tone="danger" title={error.message} />}
      <Actions>
        <Button onPress={onCancel} isDisabled={isPending}>
          Cancel
        </Button>
        <Button type="submit" variant="danger" isPending={isPending} isDisabled={!isRight}>
          Delete everything
        </Button>
      </Actions>
    </Form>
  )
}
