import { useState } from 'react'
import { Modal, type ModalProps } from '../components/Modal.tsx'
import { Switch } from '../components/Switch.tsx'
import { searchButtonTexts } from '../search/search-button.texts.ts'
import { listMainPages } from './main-pages.ts'
import styles from './ShortcutsDialog.module.css'
import { HELP_KEY, PAGE_PREFIX, SEARCH_KEY } from './shortcut-keys.ts'
import { readShortcutSetting, storeShortcutSetting } from './shortcut-setting.ts'
import { layoutTexts } from './texts.ts'

const texts = layoutTexts.shortcuts

export interface ShortcutsDialogProps extends Pick<ModalProps, 'isOpen' | 'onClose'> {
  readonly user: { readonly isAdministrator: boolean }
}

/** The shortcuts of the keyboard, and a switch for those that are single keys. */
export function ShortcutsDialog({ user, isOpen, onClose }: ShortcutsDialogProps) {
  const [isOn, setOn] = useState(readShortcutSetting)
  const { first, others } = listMainPages(user)
  const rows = [
    ...[...first, ...others].map(({ label, letter }) => ({
      label: texts.goTo(label),
      prefix: PAGE_PREFIX,
      key: letter,
    })),
    { label: texts.searchEverywhere, prefix: undefined, key: searchButtonTexts.keys },
    { label: texts.search, prefix: undefined, key: SEARCH_KEY },
    { label: texts.help, prefix: undefined, key: HELP_KEY },
  ]
  return (
    <Modal title={texts.title} isOpen={isOpen} onClose={onClose}>
      <Switch
        isSelected={isOn}
        onChange={(chosen) => {
          storeShortcutSetting(chosen)
          setOn(chosen)
        }}
      >
        {texts.setting}
      </Switch>
      <dl className={styles.list}>
        {rows.map(({ label, prefix, key }) => (
          <div key={label} className={styles.row}>
            <dt>{label}</dt>
            <dd>
              {prefix !== undefined && (
                <>
                  <kbd>{prefix}</kbd> <span className="muted">{texts.next}</span>{' '}
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
