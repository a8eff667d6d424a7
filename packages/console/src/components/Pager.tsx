import { useState } from 'react'
import { Button } from './Button.tsx'
import styles from './Pager.module.css'

/** The page of a list that is shown. */
interface PagerState {
  /** Undefined on the first page. */
  readonly cursor: string | undefined
  /** From 1. */
  readonly number: number
  readonly goTo: (cursor: string) => void
  readonly goBack: () => void
}

/** Remembers the pages up to the shown one. @param list what is listed; another search begins at its first page */
export function usePager(list: string): PagerState {
  const [state, setState] = useState({ list, cursors: [] as readonly string[] })
  const cursors = state.list === list ? state.cursors : []
  return {
    cursor: cursors.at(-1),
    number: cursors.length + 1,
    goTo: (cursor) => setState({ list, cursors: [...cursors, cursor] }),
    goBack: () => setState({ list, cursors: cursors.slice(0, -1) }),
  }
}

/** Returns a page of a list that is loaded completely, whose cursors are indices. */
export function pageOfRows<Row>(
  rows: readonly Row[],
  cursor: string | undefined,
  size: number,
): { readonly items: readonly Row[]; readonly next: string | undefined } {
  const start = Number(cursor ?? 0)
  const end = start + size
  return { items: rows.slice(start, end), next: end < rows.length ? String(end) : undefined }
}

export interface PagerProps {
  readonly pager: PagerState
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined
  /** Whether the page before is still shown. */
  readonly isLoading?: boolean
}

/** Leads to the pages before and after the shown one. A list with one page has none. */
export function Pager({ pager, next, isLoading = false }: PagerProps) {
  if (pager.number === 1 && next === undefined) return null
  const turn = (change: () => void) => () => {
    change()
    window.scrollTo({ top: 0 })
  }
  return (
    <nav className={styles.pager} aria-label="Pages">
      <Button isDisabled={pager.number === 1} onPress={turn(pager.goBack)}>
        Previous
      </Button>
      <p role="status">Page {pager.number}</p>
      <Button
        isDisabled={next === undefined}
        isPending={isLoading}
        onPress={turn(() => next !== undefined && pager.goTo(next))}
      >
        Next
      </Button>
    </nav>
  )
}
