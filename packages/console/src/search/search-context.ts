import { createContext } from 'react'

/** Opens the search over everything. */
export const SearchContext = createContext<() => void>(() => {})
