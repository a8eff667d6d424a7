import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'

/** The signed-in user, or null. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/api/auth/get-session', { signal })))?.user ?? null,
  staleTime: 60_000,
})
