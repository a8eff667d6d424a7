import { type ReactNode, useState } from 'react'
import { Button, type ButtonVariant } from './Button.tsx'
import { Actions, Modal } from './Modal.tsx'
import { useAction } from './use-action.ts'

export interface ConfirmButtonProps {
  readonly children: ReactNode
  /** Question of the dialog, such as "Delete 3 photos?". */
  readonly title: string
  /** What will happen, and whether it can be undone. */
  readonly description: ReactNode
  /** Label of the button that does it, such as "Delete". */
  readonly confirmLabel: string
  readonly onConfirm: () => Promise<unknown>
  /** Reported after it was done. */
  readonly success?: string | undefined
  readonly variant?: ButtonVariant
  readonly isDisabled?: boolean
  readonly 'aria-label'?: string
}

/** A button for an action that destroys something: asks first, and stays open with the reason if the action fails. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const {
    children,
    title,
    description,
    confirmLabel,
    onConfirm,
    success,
    variant = 'danger',
    ...button
  } = props
  const [isOpen, setOpen] = useState(false)
  const { run, isPending, error, reset } = useAction(
    async () => {
      await onConfirm()
      setOpen(false)
    },
    { success },
  )

  function open() {
    reset()
    setOpen(true)
  }

  return (
    <>
      <Button {...button} variant={variant} onPress={open}>
        {children}
      </Button>
      <Modal role="alertdialog" title={title} isOpen={isOpen} onClose={() => setOpen(false)}>
        <div>{description}</div>
        {error !== undefined && <p role="alert">{error.message}</p>}
        <Actions>
          <Button onPress={() => setOpen(false)} isDisabled={isPending}>
            Cancel
          </Button>
          <Button variant="danger" isPending={isPending} onPress={() => run()}>
            {confirmLabel}
          </Button>
        </Actions>
      </Modal>
    </>
  )
}
