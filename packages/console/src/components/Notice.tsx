import type { ReactNode } from 'react'
import { CircleAlert, CircleCheck, TriangleAlert } from './icons.ts'
import styles from './Notice.module.css'

export interface NoticeProps {
  readonly tone: 'success' | 'warning' | 'danger'
  readonly title: string
  readonly children?: ReactNode
}

const ICONS = { success: CircleCheck, warning: TriangleAlert, danger: CircleAlert } as const

/** A message inside the page, of readable width. Failures are announced when they appear. */
export function Notice({ tone, title, children }: NoticeProps) {
  const Icon = ICONS[tone]
  return (
    <div
      className={`${styles.notice} ${styles[tone]}`}
      role={tone === 'danger' ? 'alert' : 'status'}
      // A form that was rejected moves the focus here.
      tabIndex={-1}
    >
      <Icon aria-hidden />
      <strong>{title}</strong>
      {children !== undefined && <div className={styles.body}>{children}</div>}
    </div>
  )
}
