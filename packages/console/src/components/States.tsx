import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { CircleAlert } from './icons.ts'
import { Skeleton, type SkeletonShape } from './Skeleton.tsx'
import styles from './States.module.css'

/** Shown while data is loading whose shape is not known. */
export function Loading({ label }: { readonly label?: string }) {
  return <Skeleton shape="rows" {...(label !== undefined && { label })} />
}

export interface EmptyStateProps {
  readonly title: string
  /** What to do next. */
  readonly children?: ReactNode
}

/** Shown where there is nothing yet; says what to do next. */
export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <h2>{title}</h2>
      {children}
    </div>
  )
}

export interface ErrorStateProps {
  readonly error: Error
  readonly onRetry?: () => unknown
}

/** Shown where data could not be loaded, with the reason and a way to try again. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  return (
    <div className={styles.state} role="alert">
      <CircleAlert aria-hidden />
      <p>{error.message}</p>
      {onRetry !== undefined && <Button onPress={() => void onRetry()}>Try again</Button>}
    </div>
  )
}

interface QueryStateProps<Data> {
  readonly query: UseQueryResult<Data>
  /** What holds the place while the data is loading. */
  readonly skeleton?: SkeletonShape
  readonly children: (data: Data) => ReactNode
}

/** Renders the data of a query, or its loading or error state. Data that was loaded before stays visible. */
export function QueryState<Data>({ query, skeleton = 'text', children }: QueryStateProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error !== null) return <ErrorState error={query.error} onRetry={query.refetch} />
  return <Skeleton shape={skeleton} />
}
