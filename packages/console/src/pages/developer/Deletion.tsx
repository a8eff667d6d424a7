import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAppChanges } from '../../api/developer.ts'
import { Button } from '../../components/Button.tsx'
import { Actions, Modal } from '../../components/Modal.tsx'
import { Card } from '../../components/Page.tsx'
import { TextField } from '../../components/TextField.tsx'
import { useAction } from '../../components/use-action.ts'
import { useDeveloperApp } from './developer-app.ts'

const CONSEQUENCES = [
  'It stops for all wearers and is uninstalled.',
  'Its keys, images, log and what it stored about wearers are deleted.',
  'Its package name is free for others. This cannot be undone.',
] as const

/** Deletes the app, once its package name was typed. */
export function Deletion() {
  const { packageName, name } = useDeveloperApp()
  const { remove } = useAppChanges(packageName)
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const { run, isPending, error } = useAction(() => remove(() => navigate({ to: '/developer' })), {
    success: `${name} is deleted`,
  })
  return (
    <Card
      tone="danger"
      title="Delete the app"
      description="Deletes the app for everyone. To hide it only, unpublish it."
      actions={
        <Button variant="danger" onPress={() => setOpen(true)}>
          Delete the app
        </Button>
      }
    >
      <Modal
        role="alertdialog"
        title={`Delete ${name} for good?`}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <ul>
          {CONSEQUENCES.map((consequence) => (
            <li key={consequence}>{consequence}</li>
          ))}
        </ul>
        <TextField
          label={`Type ${packageName} to confirm`}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
        />
        {error !== undefined && <p role="alert">{error.message}</p>}
        <Actions>
          <Button onPress={() => setOpen(false)} isDisabled={isPending}>
            Cancel
          </Button>
          <Button
            variant="danger"
            isPending={isPending}
            isDisabled={typed !== packageName}
            onPress={() => run()}
          >
            Delete the app
          </Button>
        </Actions>
      </Modal>
    </Card>
  )
}
