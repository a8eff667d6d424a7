import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { reload } from './query-client.ts'

/** The settings that the user's phone has stored in the cloud, by name. */
export const phoneSettingsQuery = queryOptions({
  queryKey: ['phone-settings'],
  queryFn: async ({ signal }) =>
    (await unwrap(api.GET('/api/client/user/settings', { signal }))).data.settings,
})

/** Changes some settings of the phone; the others stay. */
export function useChangePhoneSettings() {
  const queryClient = useQueryClient()
  return useMutation({
    // In the order of the user.
    scope: { id: 'phone-settings' },
    mutationFn: async (settings: Readonly<Record<string, unknown>>) =>
      void (await unwrap(api.POST('/api/client/user/settings', { body: { settings } }))),
    onSettled: () => reload(queryClient, phoneSettingsQuery),
  })
}
