import { useNavigate } from '@tanstack/react-router'
import { CircleUser } from 'lucide-react'
import { useState } from 'react'
import { Header } from 'react-aria-components/Header'
import { Menu, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { api, unwrap } from '../api/client.ts'
import { Button } from '../components/Button.tsx'
import { reportFailure } from '../components/Toasts.tsx'
import { useAction } from '../components/use-action.ts'
import { chooseTheme, readTheme, THEMES, type Theme } from '../theme.ts'
import styles from './UserMenu.module.css'

const texts = { themes: { system: 'Like the device', light: 'Light', dark: 'Dark' } } as const

/** Menu with the color theme and signing out. */
export function UserMenu({ user }: { readonly user: { readonly email: string } }) {
  const [theme, setTheme] = useState(readTheme)
  const navigate = useNavigate()

  const signOut = useAction(
    async () => {
      await unwrap(api.POST('/api/auth/sign-out'))
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
    <MenuTrigger>
      <Button variant="quiet" aria-label={`Menu of ${user.email}`}>
        <CircleUser aria-hidden />
        <span className={styles.email}>{user.email}</span>
      </Button>
      <Popover className={styles.popover ?? ''}>
        <Menu className={styles.menu ?? ''}>
          <MenuSection
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[theme]}
            onSelectionChange={(keys) => selectTheme(THEMES.find((each) => keys !== 'all' && keys.has(each)))}
          >
            <Header className={styles.heading ?? ''}>Theme</Header>
            {THEMES.map((each) => (
              <MenuItem key={each} id={each} className={styles.item ?? ''}>
                {texts.themes[each]}
              </MenuItem>
            ))}
          </MenuSection>
          <MenuItem
            id="welcome"
            className={styles.item ?? ''}
            onAction={() => void navigate({ to: '/welcome' })}
          >
            First steps
          </MenuItem>
          <MenuItem id="sign-out" className={styles.item ?? ''} onAction={() => signOut.run()}>
            Sign out
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
