import { X } from 'lucide-react'
import {
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast'
import { Button } from './Button.tsx'
import styles from './Toasts.module.css'

interface ToastMessage {
  readonly kind: 'success' | 'failure'
  readonly text: string
}

/** Time in ms that a message stays; failures stay until they are closed. */
const SUCCESS_MS = 6_000

const queue = new ToastQueue<ToastMessage>({ maxVisibleToasts: 3 })

/** Reports that something was done. */
export function reportSuccess(text: string): void {
  queue.add({ kind: 'success', text }, { timeout: SUCCESS_MS })
}

/** Reports that something failed, with the reason. */
export function reportFailure(error: unknown): void {
  queue.add({ kind: 'failure', text: error instanceof Error ? error.message : String(error) })
}

/** The region of the page that shows and announces the messages of `reportSuccess` and `reportFailure`. */
export function Toasts() {
  return (
    <ToastRegion queue={queue} className={styles.region ?? ''}>
      {({ toast }) => (
        <Toast toast={toast} className={`${styles.toast} ${styles[toast.content.kind]}`}>
          <ToastContent className={styles.content ?? ''}>
            <Text slot="title">{toast.content.text}</Text>
          </ToastContent>
          <Button slot="close" variant="quiet" aria-label="Close">
            <X aria-hidden />
          </Button>
        </Toast>
      )}
    </ToastRegion>
  )
}
