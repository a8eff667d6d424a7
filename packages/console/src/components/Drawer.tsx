import { X } from 'lucide-react'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal as AriaModal, ModalOverlay } from 'react-aria-components/Modal'
import { Button } from './Button.tsx'
import styles from './Drawer.module.css'
import type { ModalProps } from './Modal.tsx'
import { componentTexts } from './texts.ts'

/** A dialog that rises from the lower edge of a phone. Focus stays inside it and returns to where it was. */
export function Drawer({ title, isOpen, onClose, children }: Omit<ModalProps, 'size' | 'role'>) {
  return (
    <ModalOverlay
      className={styles.overlay ?? ''}
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <AriaModal className={styles.drawer ?? ''}>
        <Dialog className={styles.dialog ?? ''}>
          <header className={styles.header}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <Button variant="quiet" aria-label={componentTexts.close} onPress={onClose}>
              <X aria-hidden />
            </Button>
          </header>
          {children}
        </Dialog>
      </AriaModal>
    </ModalOverlay>
  )
}
