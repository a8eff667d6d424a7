import { Link, type LinkProps, useMatchRoute } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { ChevronRight } from './icons.ts'
import styles from './Page.module.css'
import { SubNavigation, type SubNavigationProps } from './SubNavigation.tsx'

export { Card } from './Card.tsx'

/** A page above the shown one. */
export interface Crumb extends Pick<LinkProps, 'to' | 'params'> {
  readonly label: string
}

export interface PageProps {
  readonly title: string
  /** The part of the page that is shown, for the title of the document; found by itself among `parts`. */
  readonly part?: string | undefined
  /** The pages above this one, from the top. */
  readonly breadcrumb?: readonly Crumb[]
  /** A logo or icon before the title. */
  readonly icon?: ReactNode
  /** States beside the title. */
  readonly badges?: ReactNode
  readonly description?: ReactNode
  /** Buttons beside the title, of which one is primary. */
  readonly actions?: ReactNode
  /** The parts of the page that have addresses of their own. */
  readonly parts?: SubNavigationProps
  readonly children: ReactNode
}

/** A page of the console: sets the title of the document, and has the only first-level heading. */
export function Page(props: PageProps) {
  const { title, breadcrumb, icon, badges, description, actions, parts, children } = props
  const part = useShownPart(props)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const names = [part, title, 'Glasses Cloud'].filter((name) => name !== undefined)
    document.title = names.join(' · ')
  }, [title, part])
  // A page that was opened by a link and loaded late takes the focus that waits for it.
  useEffect(() => {
    if (document.activeElement?.id === 'content') heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        {breadcrumb !== undefined && <Breadcrumb crumbs={breadcrumb} />}
        {icon !== undefined && <div className={styles.icon}>{icon}</div>}
        <div className={styles.heading}>
          <div className={styles.title}>
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {badges}
          </div>
          {description !== undefined && <div className="muted">{description}</div>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {parts !== undefined && <SubNavigation {...parts} />}
      {children}
    </div>
  )
}

function useShownPart({ part, parts }: PageProps): string | undefined {
  const matchRoute = useMatchRoute()
  return part ?? parts?.links.find(({ to, params }) => to !== undefined && matchRoute({ to, params }))?.label
}

function Breadcrumb({ crumbs }: { readonly crumbs: readonly Crumb[] }) {
  return (
    <nav className={styles.breadcrumb} aria-label="Breadcrumb">
      <ol>
        {crumbs.map(({ label, ...link }) => (
          <li key={label}>
            <Link {...link}>{label}</Link>
            <ChevronRight aria-hidden />
          </li>
        ))}
      </ol>
    </nav>
  )
}
