import { Link, type LinkProps } from '@tanstack/react-router'
import styles from './SubNavigation.module.css'

export interface SubNavigationProps {
  /** What the pages have in common, for screen readers. */
  readonly label: string
  readonly links: readonly (Pick<LinkProps, 'to' | 'params'> & { readonly label: string })[]
}

/** Links to the parts of a page that has an address for each part. */
export function SubNavigation({ label, links }: SubNavigationProps) {
  return (
    <nav aria-label={label}>
      <ul className={styles.links}>
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
