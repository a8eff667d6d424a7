import { Link, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { BASE_PATH } from '../base-path.ts'
import { Menu } from '../components/icons.ts'
import { SearchButton } from '../search/SearchProvider.tsx'
import bottomBarStyles from './BottomBar.module.css'
import { listMainPages, type MainPage } from './main-pages.ts'
import styles from './Sidebar.module.css'
import topBarStyles from './TopBar.module.css'
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

interface MainLinksProps {
  readonly pages: readonly MainPage[]
  readonly linkClass: string | undefined
  readonly activeClass: string | undefined
}

/** List items with links to pages of the main navigation. */
function MainLinks({ pages, linkClass, activeClass }: MainLinksProps) {
  return pages.map(({ to, label, Icon }) => (
    <li key={to}>
      <Link to={to} className={linkClass} activeProps={{ className: activeClass }}>
        <Icon aria-hidden />
        {label}
      </Link>
    </li>
  ))
}

/** The name of the product, which leads to the first page. */
function Brand() {
  return (
    <Link to="/" className={styles.brand}>
      <img src={`${BASE_PATH}/favicon.svg`} alt="" width="26" height="26" />
      Glasses Cloud
    </Link>
  )
}

/** The head of all pages on a phone. */
export function TopBar(props: Omit<UserMenuProps, 'isCompact'>) {
  return (
    <header className={topBarStyles.bar}>
      <Brand />
      <div className={topBarStyles.end}>
        <SearchButton isCompact />
        <UserMenu {...props} isCompact />
      </div>
    </header>
  )
}

const Modal = lazy(async () => ({ default: (await import('../components/Modal.tsx')).Modal }))

/** The navigation on a phone: the pages that are used most, and a drawer with the others. */
export function BottomBar({ user }: { readonly user: { readonly isAdministrator: boolean } }) {
  const { first, others } = listMainPages(user)
  const { pathname } = useLocation()
  const [isOpen, setOpen] = useState(false)
  const isOther = others.some(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
  // biome-ignore lint/correctness/useExhaustiveDependencies: a chosen page closes the drawer
  useEffect(() => setOpen(false), [pathname])
  return (
    <nav id="navigation" className={bottomBarStyles.bar} aria-label="Main" tabIndex={-1}>
      <ul className={bottomBarStyles.links}>
        <MainLinks pages={first} linkClass={bottomBarStyles.link} activeClass={bottomBarStyles.active} />
        <li>
          <Button
            className={`${bottomBarStyles.link} ${isOther ? bottomBarStyles.active : ''}`}
            aria-expanded={isOpen}
            {...(isOther && { 'aria-current': 'true' })}
            onPress={() => setOpen(true)}
          >
            <Menu aria-hidden />
            More
          </Button>
        </li>
      </ul>
      {isOpen && (
        <Suspense fallback={null}>
          <Modal size="drawer" title="More pages" isOpen onClose={() => setOpen(false)}>
            <ul className={bottomBarStyles.others}>
              <MainLinks
                pages={others}
                linkClass={bottomBarStyles.other}
                activeClass={bottomBarStyles.otherActive}
              />
            </ul>
          </Modal>
        </Suspense>
      )}
    </nav>
  )
}
