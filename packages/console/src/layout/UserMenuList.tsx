import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useState } from 'react'
import { Header } from 'react-aria-components/Header'
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { api, unwrap } from '../api/client.ts'
import { BASE_PATH } from '../base-path.ts'
import menuStyles from '../components/Menu.module.css'
import { reportFailure } from '../components/Toasts.tsx'
import { useAction } from '../components/use-action.ts'
import { rememberWearer } from '../simulator/remembered-glasses.ts'
import { chooseTheme, readTheme, THEMES, type Theme } from '../theme.ts'
import styles from './UserMenu.module.css'

const THEME_NAMES: Readonly<Record<Theme, string>> = {
  system: 'Like the device',
  light: 'Light',
  dark: 'Dark',
}

const ITEM = `${menuStyles.item} ${styles.item}`

export interface UserMenuListProps {
  readonly label: string
  readonly triggerRef: RefObject<HTMLElement | null>
  readonly onShortcuts: () => void
  readonly onClose: () => void
}

/** The opened menu: color theme, first steps, shortcuts and signing out. */
export function UserMenuList({ label, triggerRef, onShortcuts, onClose }: UserMenuListProps) {
  const [theme, setTheme] = useState(readTheme)
  const navigate = useNavigate()

  const signOut = useAction(
    async () => {
      await unwrap(api.POST('/api/auth/sign-out'))
      rememberWearer(undefined)
      // Nothing of the user remains in memory, and simulated glasses are taken off.
      window.location.assign(`${BASE_PATH}/sign-in`)
    },
    { onFailure: reportFailure },
  )

  function selectTheme(selected: Theme | undefined) {
    if (selected === undefined) return
    chooseTheme(selected)
    setTheme(selected)
  }

  return (
    <Popover
      className={menuStyles.popover ?? ''}
      triggerRef={triggerRef}
      isOpen
      onOpenChange={onClose}
      trigger="MenuTrigger"
    >
      <Menu className={menuStyles.menu ?? ''} aria-label={label} autoFocus="first" onClose={onClose}>
        <MenuSection
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[theme]}
          onSelectionChange={(keys) => selectTheme(THEMES.find((each) => keys !== 'all' && keys.has(each)))}
        >
          <Header className={styles.heading ?? ''}>Theme</Header>
          {THEMES.map((each) => (
            <MenuItem key={each} id={each} className={ITEM}>
              {THEME_NAMES[each]}
            </MenuItem>
          ))}
        </MenuSection>
        <MenuItem id="welcome" className={ITEM} onAction={() => void navigate({ to: '/welcome' })}>
          First steps
        </MenuItem>
        <MenuItem id="shortcuts" className={ITEM} onAction={onShortcuts}>
          Keyboard shortcuts
        </MenuItem>
        <MenuItem id="sign-out" className={ITEM} onAction={() => signOut.run()}>
          Sign out
        </MenuItem>
      </Menu>
    </Popover>
  )
}
