import { Link } from '@tanstack/react-router'
import type { MainPage } from './main-pages.ts'

export interface MainLinksProps {
  readonly pages: readonly MainPage[]
  readonly linkClass: string | undefined
  readonly activeClass: string | undefined
}

/** List items with links to pages of the main navigation. */
export function MainLinks({ pages, linkClass, activeClass }: MainLinksProps) {
  return pages.map(({ to, label, Icon }) => (
    <li key={to}>
      <Link to={to} className={linkClass} activeProps={{ className: activeClass }}>
        <Icon aria-hidden />
        {label}
      </Link>
    </li>
  ))
}
