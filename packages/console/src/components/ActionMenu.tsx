import { useState } from 'react'
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import styles from './ActionMenu.module.css'
import { Button } from './Button.tsx'
import { ConfirmDialog, type ConfirmDialogProps } from './ConfirmDialog.tsx'
import { Ellipsis } from './icons.ts'
import menuStyles from './Menu.module.css'

/** An action that is asked about before it is done. */
export interface MenuAction extends Omit<ConfirmDialogProps, 'isOpen' | 'onClose'> {
  readonly id: string
  readonly label: string
  readonly isDangerous?: boolean
}

export interface ActionMenuProps {
  /** What the actions are about, such as "Actions for ada@example.org". */
  readonly label: string
  readonly actions: readonly MenuAction[]
}

/** A button with three dots that opens a menu of actions: for rows with more than one. */
export function ActionMenu({ label, actions }: ActionMenuProps) {
  const [chosen, setChosen] = useState<string>()
  return (
    <>
      <MenuTrigger>
        <Button variant="quiet" aria-label={label}>
          <Ellipsis aria-hidden />
        </Button>
        <Popover className={menuStyles.popover ?? ''} placement="bottom end">
          <Menu className={menuStyles.menu ?? ''} onAction={(key) => setChosen(String(key))}>
            {actions.map((action) => (
              <MenuItem
                key={action.id}
                id={action.id}
                className={`${menuStyles.item} ${action.isDangerous ? styles.danger : ''}`}
              >
                {action.label}
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
      {actions.map(({ id, label: _, isDangerous: __, ...dialog }) => (
        <ConfirmDialog key={id} {...dialog} isOpen={chosen === id} onClose={() => setChosen(undefined)} />
      ))}
    </>
  )
}
