import { use } from 'react'
import { Button } from '../components/Button.tsx'
import { Search } from '../components/icons.ts'
import styles from './SearchButton.module.css'
import { SEARCH_KEYS, SearchContext } from './search-context.ts'

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
