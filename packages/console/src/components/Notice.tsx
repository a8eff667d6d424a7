import type { ReactNode } from 'react'
import styles from './Notice.module.css'

export interface NoticeProps {
  readonly tone: 'success' | 'warning' | 'danger'
  readonly title: string
  readonly children?: ReactNode
}

/** A message inside the page. Failures are announced when they appear. */
export function Notice({ tone, title, children }: NoticeProps) {
  return (
    <div className={`${styles.notice} ${styles[tone]}`} role={tone === 'danger' ? 'alert' : 'status'}>
      <strong>{title}</strong>
      {children !== undefined && <div>{children}</div>}
    </div>
  )
}
