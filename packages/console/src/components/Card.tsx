import type { ReactNode } from 'react'
import styles from './Card.module.css'

export interface CardProps {
  readonly title?: string
  readonly description?: ReactNode
  /** Buttons beside the heading. */
  readonly actions?: ReactNode
  /** `danger` for what cannot be undone; such cards are the last of a page. */
  readonly tone?: 'neutral' | 'danger'
  readonly children?: ReactNode
}

/** A section of a page with a heading. */
export function Card({ title, description, actions, tone = 'neutral', children }: CardProps) {
  const hasHead = title !== undefined || description !== undefined || actions !== undefined
  return (
    <section className={`${styles.card} ${styles[tone]}`}>
      {hasHead && (
        <header className={styles.head}>
          <div className={styles.heading}>
            {title !== undefined && <h2>{title}</h2>}
            {description !== undefined && <div className="muted">{description}</div>}
          </div>
          {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      {children}
    </section>
  )
}
