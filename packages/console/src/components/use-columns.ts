import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * Follows how many columns fit into an element, and how far it is from the top of the page.
 * @param minWidth pixels of a column
 * @param gap pixels between columns
 */
export function useColumns(element: RefObject<HTMLElement | null>, minWidth: number, gap: number) {
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
