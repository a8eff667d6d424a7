import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAppChanges } from '../../api/developer.ts'
import { Button } from '../../components/Button.tsx'
import { Actions, Modal } from '../../components/Modal.tsx'
import { Card } from '../../components/Page.tsx'
import { TextField } from '../../components/TextField.tsx'
import { useAction } from '../../components/use-action.ts'
import { useDeveloperApp } from './developer-app.ts'
import { overviewTexts } from './overview.texts.ts'

const { deletion: texts } = overviewTexts

/** Deletes the app, once its package name was typed. */
export function Deletion() {
  const { packageName, name } = useDeveloperApp()
  const { remove } = useAppChanges(packageName)
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const { run, isPending, error } = useAction(() => remove(() => navigate({ to: '/developer' })), {
    success: texts.deleted(name),
  })
  return (
    <Card
      tone="danger"
      title={texts.title}
      description={texts.description}
      actions={
        <Button variant="danger" onPress={() => setOpen(true)}>
          {texts.title}
        </Button>
      }
    >
      <Modal role="alertdialog" title={texts.question(name)} isOpen={isOpen} onClose={() => setOpen(false)}>
        <ul>
          {texts.consequences.map((consequence) => (
            <li key={consequence}>{consequence}</li>
          ))}
        </ul>
        <TextField label={texts.confirm(packageName)} value={typed} onChange={setTyped} autoComplete="off" />
        {error !== undefined && <p role="alert">{error.message}</p>}
        <Actions>
          <Button onPress={() => setOpen(false)} isDisabled={isPending}>
            {texts.cancel}
          </Button>
          <Button
            variant="danger"
            isPending={isPending}
            isDisabled={typed !== packageName}
            onPress={() => run()}
          >
            {texts.title}
          </Button>
        </Actions>
      </Modal>
    </Card>
  )
}
