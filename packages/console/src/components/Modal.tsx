import type { ReactNode } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal as AriaModal, ModalOverlay } from 'react-aria-components/Modal'
import { Button } from './Button.tsx'
import { X } from './icons.ts'
import styles from './Modal.module.css'

export interface ModalProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  /** `drawer` rises from the lower edge of a phone. */
  readonly size?: 'small' | 'large' | 'drawer'
  /** `alertdialog` for a question that must be answered; it is not closed by a click outside. */
  readonly role?: 'dialog' | 'alertdialog'
}

/** A dialog above the page. Focus stays inside it and returns to where it was. */
export function Modal({ title, isOpen, onClose, children, size = 'small', role = 'dialog' }: ModalProps) {
  return (
    <ModalOverlay
      className={styles.overlay ?? ''}
      isOpen={isOpen}
      isDismissable={role === 'dialog'}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <AriaModal className={`${styles.modal} ${styles[size]}`}>
        <Dialog role={role} className={styles.dialog ?? ''}>
          <header className={styles.header}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {role === 'dialog' && (
              <Button variant="quiet" aria-label="Close" onPress={onClose}>
                <X aria-hidden />
              </Button>
            )}
          </header>
          {children}
        </Dialog>
      </AriaModal>
    </ModalOverlay>
  )
}

/** The row of buttons at the end of a dialog or form. */
export function Actions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}
