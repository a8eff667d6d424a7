import {
  UNSTABLE_ToastRegion as AriaToastRegion,
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
} from 'react-aria-components/Toast'
import { Button } from './Button.tsx'
import { X } from './icons.ts'
import styles from './Toasts.module.css'
import type { ToastMessage } from './toast-message.ts'

/** The messages that are shown. */
export const queue = new ToastQueue<ToastMessage>({ maxVisibleToasts: 3 })

/** The region of the page that shows and announces messages. */
export function ToastRegion() {
  return (
    <AriaToastRegion queue={queue} className={styles.region ?? ''}>
      {({ toast }) => (
        <Toast toast={toast} className={`${styles.toast} ${styles[toast.content.kind]}`}>
          <ToastContent className={styles.content ?? ''}>
            <Text slot="title">{toast.content.text}</Text>
          </ToastContent>
          {toast.content.action !== undefined && (
            <Button
              onPress={() => {
                toast.content.action?.onPress()
                queue.close(toast.key)
              }}
            >
              {toast.content.action.label}
            </Button>
          )}
          <Button slot="close" variant="quiet" aria-label="Close">
            <X aria-hidden />
          </Button>
        </Toast>
      )}
    </AriaToastRegion>
  )
}
