import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

const MAX_RETRIES = 2

/** Creates the cache of server data. Reads are repeated after network and server failures, never after a rejection. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < MAX_RETRIES && isTemporary(error),
      },
    },
  })
}

function isTemporary(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}
