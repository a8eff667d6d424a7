import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { reload } from './query-client.ts'
import type { components } from './schema.d.ts'

export type PrivacySettings = components['schemas']['PrivacySettings']
export type DataExport = components['schemas']['DataExport']
export type ExportFormat = DataExport['format']

/** Interval in ms between looks at an export that is being prepared. */
const EXPORT_POLL_MS = 1_500

/** The account of the user. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/account/me', { signal })),
})

export const privacyQuery = queryOptions({
  queryKey: ['account', 'privacy'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/account/privacy', { signal })),
})

/** What a deletion of the account requires first. */
export const deletionQuery = queryOptions({
  queryKey: ['account', 'deletion'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/account/deletion', { signal })),
  // The sign-in ages.
  staleTime: 0,
})

/** The exports of the user's data, the newest first; asks again until all are complete. */
export const exportsQuery = queryOptions({
  queryKey: ['account', 'exports'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/api/account/exports', { signal }))).exports,
  refetchInterval: ({ state }) =>
    state.data?.some(({ status }) => status === 'pending' || status === 'processing') === true
      ? EXPORT_POLL_MS
      : false,
})

/** Requests an export. */
export function useRequestExport() {
  const queryClient = useQueryClient()
  return async (format: ExportFormat): Promise<void> => {
    await unwrap(api.POST('/api/account/request-export', { body: { format } }))
    await reload(queryClient, exportsQuery)
  }
}

/** Saves fields of the profile. */
export function useSaveProfile() {
  const queryClient = useQueryClient()
  return async (body: components['schemas']['ProfileUpdate']): Promise<void> => {
    await unwrap(api.PUT('/api/account/profile', { body }))
    await reload(queryClient, accountQuery)
  }
}

/** Saves a privacy setting. The page shows the new value at once, and the stored one if saving failed. */
export function useSavePrivacy() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Partial<PrivacySettings>) => unwrap(api.PUT('/api/account/privacy', { body })),
    onMutate: (change) =>
      queryClient.setQueryData(privacyQuery.queryKey, (stored) => stored && { ...stored, ...change }),
    onSettled: () => reload(queryClient, privacyQuery),
  })
}
