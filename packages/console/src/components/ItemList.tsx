import type { ReactNode } from 'react'
import styles from './ItemList.module.css'

/** A list of things that the user manages, such as passkeys or tokens. */
export function ItemList({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul className={styles.list} aria-label={label}>
      {children}
    </ul>
  )
}

export interface ItemProps {
  readonly title: ReactNode
  /** What else there is to know, in a few words. */
  readonly details?: ReactNode
  /** Buttons. */
  readonly actions?: ReactNode
}

/** An entry of an `ItemList`. */
export function Item({ title, details, actions }: ItemProps) {
  return (
    <li className={styles.item}>
      <div className={styles.text}>
        <div className={styles.title}>{title}</div>
        {details !== undefined && <div className="muted">{details}</div>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </li>
  )
}
