import { SearchButton } from '../search/SearchButton.tsx'
import { Brand } from './Brand.tsx'
import { MainLinks } from './MainLinks.tsx'
import { listMainPages } from './main-pages.ts'
import styles from './Sidebar.module.css'
import { UserMenu, type UserMenuProps } from './UserMenu.tsx'

export interface SidebarProps extends Omit<UserMenuProps, 'isCompact'> {
  readonly user: UserMenuProps['user'] & { readonly isAdministrator: boolean }
}

/** The navigation on wide screens. */
export function Sidebar({ user, onShortcuts }: SidebarProps) {
  const { first, others } = listMainPages(user)
  return (
    <div className={styles.sidebar}>
      <Brand />
      <SearchButton />
      <nav id="navigation" className={styles.navigation} aria-label="Main" tabIndex={-1}>
        {[first, others].map((pages) => (
          <ul key={pages[0]?.to} className={styles.links}>
            <MainLinks pages={pages} linkClass={styles.link} activeClass={styles.active} />
          </ul>
        ))}
      </nav>
      <div className={styles.user}>
        <UserMenu user={user} onShortcuts={onShortcuts} />
      </div>
    </div>
  )
}
