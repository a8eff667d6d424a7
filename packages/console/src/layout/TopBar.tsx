import { SearchButton } from '../search/SearchButton.tsx'
import { Brand } from './Brand.tsx'
import styles from './TopBar.module.css'
import { UserMenu, type UserMenuProps } from './UserMenu.tsx'

/** The head of all pages on a phone. */
export function TopBar(props: Omit<UserMenuProps, 'isCompact'>) {
  return (
    <header className={styles.bar}>
      <Brand />
      <div className={styles.end}>
        <SearchButton isCompact />
        <UserMenu {...props} isCompact />
      </div>
    </header>
  )
}
