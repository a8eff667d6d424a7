import { Link, Outlet, useRouteContext } from '@tanstack/react-router'
import { AppWindow, Building2, CircleUser, Code, Glasses, Images, ShieldCheck } from 'lucide-react'
import { useLiveUpdates } from '../api/live-session.ts'
import { ConfirmAddress } from './ConfirmAddress.tsx'
import styles from './Shell.module.css'
import { UserMenu } from './UserMenu.tsx'

const LINKS = [
  { to: '/store', label: 'Apps', Icon: AppWindow },
  { to: '/glasses', label: 'Glasses', Icon: Glasses },
  { to: '/gallery', label: 'Gallery', Icon: Images },
  { to: '/developer', label: 'Developer', Icon: Code },
  { to: '/organizations', label: 'Organizations', Icon: Building2 },
  { to: '/account', label: 'Account', Icon: CircleUser },
] as const

const ADMINISTRATION = { to: '/admin', label: 'Administration', Icon: ShieldCheck } as const

/** The frame of all pages for signed-in users: navigation, user menu and the page. */
export function Shell() {
  const { user } = useRouteContext({ from: '/signed-in' })
  useLiveUpdates()
  const links = user.isAdministrator ? [...LINKS, ADMINISTRATION] : LINKS
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        Skip to content
      </a>
      <nav className={styles.sidebar} aria-label="Main">
        <Link to="/" className={styles.brand}>
          <img src="/favicon.svg" alt="" width="28" height="28" />
          Glasses Cloud
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
        {!user.emailVerified && <ConfirmAddress email={user.email} />}
        <Outlet />
      </main>
    </div>
  )
}
