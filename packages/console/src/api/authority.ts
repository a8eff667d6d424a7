import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'

/** The cloud's own authority, which devices must trust; without a fingerprint there is none. */
export const authorityQuery = queryOptions({
  queryKey: ['authority'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/tls/authority', { signal })),
})
