import { Link, type LinkProps, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import styles from './SubNavigation.module.css'

export interface SubNavigationProps {
  /** What the pages have in common, for screen readers. */
  readonly label: string
  readonly links: readonly (Pick<LinkProps, 'to' | 'params'> & { readonly label: string })[]
}

/** Links to the parts of a page that has an address for each part: one row, in which the shown part is in sight. */
export function SubNavigation({ label, links }: SubNavigationProps) {
  const row = useRef<HTMLUListElement>(null)
  const router = useRouter()
  useEffect(() => {
    const list = row.current
    if (list === null) return
    const show = () => showCurrent(list)
    // Links learn later than the address changes which of them is current.
    const currents = new MutationObserver(show)
    currents.observe(list, { subtree: true, attributeFilter: ['aria-current'] })
    // Widths change when the page has its final width, and when fonts arrive.
    const widths = new ResizeObserver(show)
    for (const each of [list, ...list.children]) widths.observe(each)
    // The router restores the scroll position that the row had on the page before.
    const stopFollowing = router.subscribe('onRendered', show)
    return () => {
      stopFollowing()
      currents.disconnect()
      widths.disconnect()
    }
  }, [router])
  return (
    <nav aria-label={label} className={styles.navigation}>
      <ul className={styles.links} ref={row}>
        {links.map(({ label: text, ...link }) => (
          <li key={text}>
            <Link
              {...link}
              className={styles.link}
              activeOptions={{ exact: true, includeSearch: false }}
              activeProps={{ className: styles.active }}
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Scrolls a row, but not the page as `scrollIntoView` may, until its current link is in the middle. */
function showCurrent(list: HTMLElement): void {
  const current = list.querySelector('[aria-current="page"]')
  if (current === null) return
  const [frame, link] = [list.getBoundingClientRect(), current.getBoundingClientRect()]
  list.scrollLeft += link.left + link.width / 2 - (frame.left + frame.width / 2)
}
