import { createContext } from 'react'

/** The keys that open the search are those of the device. */
export const SEARCH_KEYS = /^Mac|^iP/.test(navigator.platform) ? '⌘ K' : 'Ctrl K'

/** Opens the search over everything. */
export const SearchContext = createContext<() => void>(() => {})
