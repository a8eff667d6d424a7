import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Actions, Modal } from './Modal.tsx'
import { useAction } from './use-action.ts'

export interface ConfirmDialogProps {
  /** Question, such as "Delete 3 photos?". */
  readonly title: string
  /** What will happen, and whether it can be undone. */
  readonly description: ReactNode
  /** Label of the button that does it, such as "Delete". */
  readonly confirmLabel: string
  readonly onConfirm: () => Promise<unknown>
  /** Reported after it was done. */
  readonly success?: string | undefined
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Asks before an action that destroys something; stays open with the reason if the action fails. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, description, confirmLabel, onConfirm, success, isOpen, onClose } = props
  const { run, isPending, error, reset } = useAction(
    async () => {
      await onConfirm()
      onClose()
    },
    { success },
  )
  const close = () => {
    reset()
    onClose()
  }
  return (
    <Modal role="alertdialog" title={title} isOpen={isOpen} onClose={close}>
      <div>{description}</div>
      {error !== undefined && <p role="alert">{error.message}</p>}
      <Actions>
        <Button onPress={close} isDisabled={isPending}>
          Cancel
        </Button>
        <Button variant="danger" isPending={isPending} onPress={() => run()}>
          {confirmLabel}
        </Button>
      </Actions>
    </Modal>
  )
}
