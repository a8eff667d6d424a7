import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import { useLiveUpdates } from '../api/live-session.ts'
import type { User } from '../api/sign-in.ts'
import { useWornGlasses } from '../pages/glasses/use-worn-glasses.ts'
import { SearchProvider } from '../search/SearchProvider.tsx'
import { BottomBar } from './BottomBar.tsx'
import { ConfirmAddress } from './ConfirmAddress.tsx'
import { DeferredPage } from './DeferredPage.tsx'
import styles from './Shell.module.css'
import { Sidebar } from './Sidebar.tsx'
import { SkipLinks } from './SkipLinks.tsx'
import { TopBar } from './TopBar.tsx'
import { useMediaQuery } from './use-media-query.ts'
import { useRouteFocus } from './use-route-focus.ts'
import { useShortcuts } from './use-shortcuts.ts'

/** Narrower screens have bars above and below the page instead of a sidebar; Shell.module.css has the same width. */
const NARROW = '(max-width: 48rem)'

const ShortcutsDialog = lazy(async () => ({
  default: (await import('./ShortcutsDialog.tsx')).ShortcutsDialog,
}))

export interface ShellProps {
  readonly user: User
  /** The page. */
  readonly children: ReactNode
}

/** The frame of all pages for signed-in users: navigation, user menu and the page. */
export function Shell({ user, children }: ShellProps) {
  const isNarrow = useMediaQuery(NARROW)
  const announcement = useRouteFocus()
  const [showsShortcuts, setShowsShortcuts] = useState(false)
  const showShortcuts = useCallback(() => setShowsShortcuts(true), [])
  useShortcuts(user, { onHelp: showShortcuts })
  useLiveUpdates()
  useWornGlasses(user.id)
  return (
    <div className={styles.shell}>
      <SkipLinks />
      <SearchProvider>
        {isNarrow ? (
          <TopBar user={user} onShortcuts={showShortcuts} />
        ) : (
          <Sidebar user={user} onShortcuts={showShortcuts} />
        )}
      </SearchProvider>
      <main id="content" className={styles.content} tabIndex={-1}>
        {!user.emailVerified && <ConfirmAddress email={user.email} />}
        <DeferredPage>{children}</DeferredPage>
      </main>
      {isNarrow && <BottomBar user={user} />}
      {showsShortcuts && (
        <Suspense fallback={null}>
          <ShortcutsDialog user={user} isOpen onClose={() => setShowsShortcuts(false)} />
        </Suspense>
      )}
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
    </div>
  )
}
