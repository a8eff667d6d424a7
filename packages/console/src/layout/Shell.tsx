import { Link, Outlet, useRouteContext } from '@tanstack/react-router'
import { AppWindow, Building2, CircleUser, Code, Glasses, Images, ShieldCheck } from 'lucide-react'
import { useLiveUpdates } from '../api/live-session.ts'
import { navigation } from '../texts/navigation.ts'
import styles from './Shell.module.css'
import { UserMenu } from './UserMenu.tsx'

const LINKS = [
  { to: '/store', label: navigation.apps, Icon: AppWindow },
  { to: '/glasses', label: navigation.glasses, Icon: Glasses },
  { to: '/gallery', label: navigation.gallery, Icon: Images },
  { to: '/developer', label: navigation.developer, Icon: Code },
  { to: '/organizations', label: navigation.organizations, Icon: Building2 },
  { to: '/account', label: navigation.account, Icon: CircleUser },
] as const

const ADMINISTRATION = { to: '/admin', label: navigation.administration, Icon: ShieldCheck } as const

/** The frame of all pages for signed-in users: navigation, user menu and the page. */
export function Shell() {
  const { user } = useRouteContext({ from: '/signed-in' })
  useLiveUpdates()
  const links = user.isAdministrator ? [...LINKS, ADMINISTRATION] : LINKS
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        {navigation.skip}
      </a>
      <nav className={styles.sidebar} aria-label={navigation.label}>
        <Link to="/" className={styles.brand}>
          <img src="/favicon.svg" alt="" width="28" height="28" />
          {navigation.brand}
        </Link>
        <ul className={styles.links}>
          {links.map(({ to, label, Icon }) => (
            <li key={to}>
              <Link to={to} className={styles.link} activeProps={{ className: styles.active }}>
                <Icon aria-hidden />
                {label}
              </Link>
            </li>
          ))}
        </ul>
        <UserMenu user={user} />
      </nav>
      <main id="content" className={styles.content} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}
