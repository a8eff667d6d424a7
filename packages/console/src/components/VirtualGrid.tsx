import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type FocusEvent, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import styles from './VirtualGrid.module.css'

/** Rows that are drawn before and after those in view: the Tab key finds them, and the page then scrolls to them. */
const OVERSCAN = 2

export interface VirtualGridProps<Item> {
  readonly label: string
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly children: (item: Item) => ReactNode
  /** Pixels of a column at least; as many columns as fit. */
  readonly minColumnWidth: number
  /** Pixels of a row, until it is drawn. */
  readonly rowHeight: number
  /** Pixels between items. */
  readonly gap: number
}

/**
 * A list of any length as a grid that scrolls with the page. Only the rows in view are in the document, and the one with
 * the focus; each item says which one it is of how many.
 */
export function VirtualGrid<Item>(props: VirtualGridProps<Item>) {
  const { label, items, keyOf, children, minColumnWidth, rowHeight, gap } = props
  const list = useRef<HTMLDivElement>(null)
  const { columns, top } = useColumns(list, minColumnWidth, gap)
  const [focusedRow, setFocusedRow] = useState<number>()
  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    count: Math.ceil(items.length / columns),
    estimateSize: () => rowHeight,
    gap,
    overscan: OVERSCAN,
    scrollMargin: top,
    rangeExtractor: (range) => withRow(range, focusedRow),
  })
  const rowOf = ({ target }: FocusEvent) =>
    Number(target.closest<HTMLElement>('[data-index]')?.dataset.index ?? Number.NaN)

  return (
    // biome-ignore lint/a11y/useSemanticElements: the items of an ul must be its children, and these are in rows
    <div
      ref={list}
      role="list"
      aria-label={label}
      className={styles.grid}
      style={{ height: virtualizer.getTotalSize() }}
      onFocus={(event) => setFocusedRow(rowOf(event))}
      onBlur={() => setFocusedRow(undefined)}
    >
      {virtualizer.getVirtualItems().map(({ index, start }) => (
        <div
          key={index}
          ref={virtualizer.measureElement}
          data-index={index}
          role="presentation"
          className={styles.row}
          style={{
            top: start - top,
            gap,
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          }}
        >
          {items.slice(index * columns, (index + 1) * columns).map((item, column) => (
            // biome-ignore lint/a11y/useSemanticElements: see the list
            <div
              key={keyOf(item)}
              role="listitem"
              aria-setsize={items.length}
              aria-posinset={index * columns + column + 1}
            >
              {children(item)}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

/** Keeps the row with the focus, which would be lost with its element. */
function withRow(range: Range, row: number | undefined): number[] {
  const rows = defaultRangeExtractor(range)
  if (row === undefined || !(row < range.count) || rows.includes(row)) return rows
  return [...rows, row].sort((one, other) => one - other)
}

/**
 * Follows how many columns fit into an element, and how far it is from the top of the page.
 * @param minWidth pixels of a column
 * @param gap pixels between columns
 */
function useColumns(element: RefObject<HTMLElement | null>, minWidth: number, gap: number) {
  const [place, setPlace] = useState({ columns: 1, top: 0 })
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    const measure = () => {
      const { width, top } = current.getBoundingClientRect()
      const next = {
        columns: Math.max(1, Math.floor((width + gap) / (minWidth + gap))),
        top: Math.round(top + window.scrollY),
      }
      // Fractions of pixels differ with the place to which the page is scrolled.
      setPlace((before) =>
        before.columns === next.columns && Math.abs(before.top - next.top) <= 1 ? before : next,
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    // What is above the element moves it.
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element, minWidth, gap])
  return place
}
