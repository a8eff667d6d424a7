import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'

/** Pause in ms between questions whether the phone has reported. */
const POLL_MS = 2_000

/** A code that a phone reports once; one for all guides, until it is asked for again. */
export const reachabilityTestQuery = queryOptions({
  queryKey: ['reachability', 'test'],
  queryFn: ({ signal }) => unwrap(api.POST('/api/reachability-tests', { signal })),
  staleTime: 'static',
})

/** What became of a code; asked for until it is decided. */
export const reachabilityStateQuery = (code: string) =>
  queryOptions({
    queryKey: ['reachability', 'state', code],
    queryFn: async ({ signal }) =>
      (await unwrap(api.POST('/api/reachability-tests/result', { body: { code }, signal }))).state,
    refetchInterval: ({ state: { data = 'waiting' } }) => (data === 'waiting' ? POLL_MS : false),
  })

/** The cloud's own authority, which devices must trust; without a fingerprint there is none. */
export const authorityQuery = queryOptions({
  queryKey: ['authority'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/tls/authority', { signal })),
})
