import { useState } from 'react'

/** The page of a list that is shown. */
export interface PagerState {
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
