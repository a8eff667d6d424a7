import { type InvalidateQueryFilters, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

/**
 * Loads queries again after a change. Requests that are under way are canceled: that of a query without data would
 * otherwise go on, and its response may be the state before the change.
 */
export async function reload(
  queryClient: QueryClient,
  ...queries: readonly InvalidateQueryFilters[]
): Promise<void> {
  const reloadOne = async (query: InvalidateQueryFilters) => {
    await queryClient.cancelQueries(query)
    await queryClient.invalidateQueries(query)
  }
  await Promise.all(queries.map(reloadOne))
}

const MAX_RETRIES = 2

/** Time in which the parts of a page share what one of them has read. */
const SHARED_MS = 10_000

/**
 * Creates the cache of server data. Reads are repeated after network and server failures, never after a rejection, and
 * when the user comes back to the tab: another one, or the glasses, may have changed something.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: SHARED_MS,
        refetchOnWindowFocus: 'always',
        retry: (failures, error) => failures < MAX_RETRIES && isTemporary(error),
      },
    },
  })
}

function isTemporary(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}
