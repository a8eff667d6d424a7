import { createContext, lazy, type ReactNode, Suspense, use, useEffect, useState } from 'react'
import { Button } from '../components/Button.tsx'
import { Search } from '../components/icons.ts'
import styles from './SearchButton.module.css'

/** The keys that open the search are those of the device. */
export const SEARCH_KEYS = /^Mac|^iP/.test(navigator.platform) ? '⌘ K' : 'Ctrl K'

/** Opens the search over everything. */
const SearchContext = createContext<() => void>(() => {})

const SearchDialog = lazy(async () => ({ default: (await import('./SearchDialog.tsx')).SearchDialog }))

/** Opens the search over everything for buttons below, and with Ctrl K or ⌘ K. The dialog is loaded when it first opens. */
export function SearchProvider({ children }: { readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    function toggleByKey(event: KeyboardEvent) {
      const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      if (!isShortcut || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      setOpen((before) => !before)
    }
    window.addEventListener('keydown', toggleByKey)
    return () => window.removeEventListener('keydown', toggleByKey)
  }, [])
  return (
    <SearchContext value={() => setOpen(true)}>
      {children}
      {isOpen && (
        <Suspense fallback={null}>
          <SearchDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </SearchContext>
  )
}

/** Opens the search over everything. */
export function SearchButton({ isCompact = false }: { readonly isCompact?: boolean }) {
  const openSearch = use(SearchContext)
  return (
    <span className={isCompact ? undefined : styles.wide} data-search>
      {isCompact ? (
        <Button variant="quiet" aria-label="Search" onPress={openSearch}>
          <Search aria-hidden />
        </Button>
      ) : (
        <Button onPress={openSearch}>
          <Search aria-hidden />
          <span className={styles.label}>Search</span>
          <kbd aria-hidden>{SEARCH_KEYS}</kbd>
        </Button>
      )}
    </span>
  )
}
