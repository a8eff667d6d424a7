import { type ReactNode, useEffect } from 'react'
import styles from './Page.module.css'

export interface PageProps {
  readonly title: string
  /** The part of the page that is shown, for the title of the document. */
  readonly part?: string | undefined
  readonly description?: ReactNode
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A page of the console: sets the title of the document, and has the only first-level heading. */
export function Page({ title, part, description, actions, children }: PageProps) {
  useEffect(() => {
    const names = [part, title, 'Glasses Cloud'].filter((name) => name !== undefined)
    document.title = names.join(' · ')
  }, [title, part])
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <div>
          <h1>{title}</h1>
          {description !== undefined && <p className="muted">{description}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}

export interface CardProps {
  readonly title?: string
  readonly description?: ReactNode
  readonly children: ReactNode
}

/** A section of a page with a heading. */
export function Card({ title, description, children }: CardProps) {
  return (
    <section className={styles.card}>
      {title !== undefined && <h2>{title}</h2>}
      {description !== undefined && <p className="muted">{description}</p>}
      {children}
    </section>
  )
}
