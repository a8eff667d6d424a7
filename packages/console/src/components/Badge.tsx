import type { ReactNode } from 'react'
import styles from './Badge.module.css'

export interface BadgeProps {
  readonly tone?: 'neutral' | 'success' | 'warning' | 'danger'
  readonly children: ReactNode
}

/** A short label for a state. The text says it all: color only supports it. */
export function Badge({ tone = 'neutral', children }: BadgeProps) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>
}
