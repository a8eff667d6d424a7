import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Button, type ButtonVariant } from './Button.tsx'
import type { ConfirmDialogProps } from './ConfirmDialog.tsx'

const loadDialog = () => import('./ConfirmDialog.tsx')
const ConfirmDialog = lazy(async () => ({ default: (await loadDialog()).ConfirmDialog }))

export interface ConfirmButtonProps extends Omit<ConfirmDialogProps, 'isOpen' | 'onClose'> {
  readonly children: ReactNode
  readonly variant?: ButtonVariant
  readonly isDisabled?: boolean
  readonly 'aria-label'?: string
}

/** A button for an action that destroys something: asks first, and stays open with the reason if the action fails. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { children, variant = 'danger', isDisabled = false, 'aria-label': label, ...dialog } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant={variant}
        isDisabled={isDisabled}
        {...(label !== undefined && { 'aria-label': label })}
        onHoverStart={() => void loadDialog()}
        onPress={() => setOpen(true)}
      >
        {children}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ConfirmDialog {...dialog} isOpen onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
