import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { SearchContext } from './search-context.ts'

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
