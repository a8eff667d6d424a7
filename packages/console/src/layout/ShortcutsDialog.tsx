import { useState } from 'react'
import { Modal, type ModalProps } from '../components/Modal.tsx'
import { Switch } from '../components/Switch.tsx'
import { SEARCH_KEYS } from '../search/SearchProvider.tsx'
import { listMainPages } from './main-pages.ts'
import styles from './ShortcutsDialog.module.css'
import {
  HELP_KEY,
  PAGE_PREFIX,
  readShortcutSetting,
  SEARCH_KEY,
  storeShortcutSetting,
} from './shortcut-keys.ts'

export interface ShortcutsDialogProps extends Pick<ModalProps, 'isOpen' | 'onClose'> {
  readonly user: { readonly isAdministrator: boolean }
}

/** The shortcuts of the keyboard, and a switch for those that are single keys. */
export function ShortcutsDialog({ user, isOpen, onClose }: ShortcutsDialogProps) {
  const [isOn, setOn] = useState(readShortcutSetting)
  const { first, others } = listMainPages(user)
  const rows = [
    ...[...first, ...others].map(({ label, letter }) => ({
      label: `Go to ${label}`,
      prefix: PAGE_PREFIX,
      key: letter,
    })),
    { label: 'Search everywhere', prefix: undefined, key: SEARCH_KEYS },
    { label: 'Search on the page, or everywhere', prefix: undefined, key: SEARCH_KEY },
    { label: 'Show this list', prefix: undefined, key: HELP_KEY },
  ]
  return (
    <Modal title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      <Switch
        isSelected={isOn}
        onChange={(chosen) => {
          storeShortcutSetting(chosen)
          setOn(chosen)
        }}
      >
        Use single keys as shortcuts on this device
      </Switch>
      <dl className={styles.list}>
        {rows.map(({ label, prefix, key }) => (
          <div key={label} className={styles.row}>
            <dt>{label}</dt>
            <dd>
              {prefix !== undefined && (
                <>
                  <kbd>{prefix}</kbd> <span className="muted">then</span>{' '}
                </>
              )}
              <kbd>{key}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
