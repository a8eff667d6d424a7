import { type RefObject, useEffect, useState } from 'react'

/** Returns whether an element is scrolled sideways, and then must be reachable with the keyboard. */
export function useOverflow(element: RefObject<HTMLElement | null>): boolean {
  const [isScrolled, setScrolled] = useState(false)
  useEffect(() => {
    const observed = element.current
    if (observed === null) return
    const observer = new ResizeObserver(() => setScrolled(observed.scrollWidth > observed.clientWidth + 1))
    observer.observe(observed)
    for (const child of observed.children) observer.observe(child)
    return () => observer.disconnect()
  }, [element])
  return isScrolled
}
