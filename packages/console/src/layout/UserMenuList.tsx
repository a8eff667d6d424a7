import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useState } from 'react'
import { Header } from 'react-aria-components/Header'
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { api, unwrap } from '../api/client.ts'
import menuStyles from '../components/Menu.module.css'
import { reportFailure } from '../components/Toasts.tsx'
import { useAction } from '../components/use-action.ts'
import { rememberWearer } from '../simulator/remembered-glasses.ts'
import { chooseTheme, readTheme, THEMES, type Theme } from '../theme.ts'
import { layoutTexts } from './texts.ts'
import styles from './UserMenu.module.css'

const texts = layoutTexts.menu

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
      window.location.assign('/sign-in')
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
          <Header className={styles.heading ?? ''}>{texts.theme}</Header>
          {texts.themes.map(({ theme: each, label }) => (
            <MenuItem key={each} id={each} className={ITEM}>
              {label}
            </MenuItem>
          ))}
        </MenuSection>
        <MenuItem id="welcome" className={ITEM} onAction={() => void navigate({ to: '/welcome' })}>
          {texts.firstSteps}
        </MenuItem>
        <MenuItem id="shortcuts" className={ITEM} onAction={onShortcuts}>
          {texts.shortcuts}
        </MenuItem>
        <MenuItem id="sign-out" className={ITEM} onAction={() => signOut.run()}>
          {texts.signOut}
        </MenuItem>
      </Menu>
    </Popover>
  )
}
