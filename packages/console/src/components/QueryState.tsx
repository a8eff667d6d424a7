import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Skeleton, type SkeletonShape } from './Skeleton.tsx'
import { ErrorState } from './States.tsx'

export interface QueryStateProps<Data> {
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
