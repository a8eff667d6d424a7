import type { InvalidateQueryFilters, QueryClient } from '@tanstack/react-query'

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
