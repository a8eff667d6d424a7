import { type ReactNode, useState } from 'react'
import { common } from '../texts/common.ts'
import { Button, type ButtonVariant } from './Button.tsx'
import { Actions, Modal } from './Modal.tsx'

export interface ConfirmButtonProps {
  readonly children: ReactNode
  /** Question of the dialog, such as "Delete 3 photos?". */
  readonly title: string
  /** What will happen, and whether it can be undone. */
  readonly description: ReactNode
  /** Label of the button that does it, such as "Delete". */
  readonly confirmLabel: string
  readonly onConfirm: () => Promise<unknown>
  readonly variant?: ButtonVariant
  readonly isDisabled?: boolean
  readonly 'aria-label'?: string
}

/** A button for an action that destroys something: asks first, and stays open with the reason if the action fails. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { children, title, description, confirmLabel, onConfirm, variant = 'danger', ...button } = props
  const [isOpen, setOpen] = useState(false)
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function confirm() {
    setPending(true)
    setFailure(undefined)
    try {
      await onConfirm()
      setOpen(false)
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    } finally {
      setPending(false)
    }
  }

  return (
    <>
      <Button {...button} variant={variant} onPress={() => setOpen(true)}>
        {children}
      </Button>
      <Modal role="alertdialog" title={title} isOpen={isOpen} onClose={() => setOpen(false)}>
        <div>{description}</div>
        {failure !== undefined && <p role="alert">{failure}</p>}
        <Actions>
          <Button onPress={() => setOpen(false)} isDisabled={isPending}>
            {common.cancel}
          </Button>
          <Button variant="danger" isPending={isPending} onPress={() => void confirm()}>
            {confirmLabel}
          </Button>
        </Actions>
      </Modal>
    </>
  )
}
