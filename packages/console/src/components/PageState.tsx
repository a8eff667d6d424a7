import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../api/api-error.ts'
import { type Crumb, Page } from './Page.tsx'
import { Skeleton } from './Skeleton.tsx'
import { ErrorState } from './States.tsx'

export interface PageStateProps<Data> {
  readonly query: UseQueryResult<Data>
  /** The pages above this one, which lead back from an address without content. */
  readonly breadcrumb: readonly Crumb[]
  readonly children: (data: Data) => ReactNode
}

/** Like `QueryState` for a whole page, which has a heading and a way back also where the data could not be loaded. */
export function PageState<Data>({ query, breadcrumb, children }: PageStateProps<Data>) {
  const { data, error, refetch } = query
  if (data !== undefined) return children(data)
  if (error === null) return <Skeleton shape="page" />
  if (error instanceof ApiError && error.status === 404)
    return (
      <Page
        title={error.message}
        breadcrumb={breadcrumb}
        description="The address may be mistyped, or what it led to no longer exists."
      >
        {null}
      </Page>
    )
  return (
    <Page title="The page could not be loaded" breadcrumb={breadcrumb}>
      <ErrorState error={error} onRetry={refetch} />
    </Page>
  )
}
