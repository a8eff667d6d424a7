import { useRouter, useRouterState } from '@tanstack/react-router'
import {
  lazy,
  type ReactNode,
  Suspense,
  startTransition,
  useCallback,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { useLiveUpdates } from '../api/live-session.ts'
import type { User } from '../api/sign-in.ts'
import { Skeleton } from '../components/Skeleton.tsx'
import { SkipLink } from '../components/SkipLink.tsx'
import { useWornGlasses } from '../pages/glasses/use-worn-glasses.ts'
import { SearchProvider } from '../search/SearchProvider.tsx'
import { ConfirmAddress } from './ConfirmAddress.tsx'
import { BottomBar, Sidebar, TopBar } from './Navigation.tsx'
import styles from './Shell.module.css'
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
  const [showsShortcuts, setShowsShortcuts] = useState(false)
  const showShortcuts = useCallback(() => setShowsShortcuts(true), [])
  useShortcuts(user, { onHelp: showShortcuts })
  useRouteFocus()
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
    </div>
  )
}

/** Links to the parts of the frame, before everything else. */
function SkipLinks() {
  return (
    <>
      <SkipLink target="content">Skip to content</SkipLink>
      <SkipLink target="navigation">Skip to navigation</SkipLink>
    </>
  )
}

/**
 * Renders the page of a link after the click was answered: the navigation shows where it leads at once, and the page is
 * rendered without blocking the next click. Pages that share the first segment of their path, such as the parts of an app,
 * and steps back, whose scroll position is restored, are rendered at once.
 */
function DeferredPage({ children }: { readonly children: ReactNode }) {
  const { history } = useRouter()
  const section = useRouterState({ select: ({ matches }) => matches.at(-1)?.pathname.split('/', 2)[1] })
  const [shown, setShown] = useState(section)
  const [isStepBack, setStepBack] = useState(false)
  useEffect(() => history.subscribe(({ action: { type } }) => setStepBack(type !== 'PUSH')), [history])
  useEffect(() => startTransition(() => setShown(section)), [section])
  return shown === section || isStepBack ? children : <Skeleton shape="page" />
}

/** Returns whether a media query matches, and follows it. */
function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    () => window.matchMedia(query).matches,
  )
}
