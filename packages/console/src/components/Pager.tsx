import { Button } from './Button.tsx'
import styles from './Pager.module.css'
import type { PagerState } from './use-pager.ts'

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
