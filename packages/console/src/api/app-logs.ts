import type { AppLogEntry } from '@glasses-cloud/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'

/**
 * The logs of those apps that the user develops, by package name. The list of own apps is asked first: the log of any
 * other app would be an error.
 * @param version changes when there may be new entries
 */
export const appLogsQuery = (packageNames: readonly string[], version: number) =>
  queryOptions({
    queryKey: ['app-logs', packageNames, version],
    enabled: packageNames.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, readonly AppLogEntry[]>> => {
      const { data: own } = await unwrap(api.GET('/api/console/apps', { signal }))
      const names = packageNames.filter((name) => own.some(({ packageName }) => packageName === name))
      const logs = names.map(async (packageName) => {
        const params = { path: { packageName } }
        const { data } = await unwrap(api.GET('/api/console/apps/{packageName}/logs', { params, signal }))
        return [packageName, data] as const
      })
      return new Map(await Promise.all(logs))
    },
  })
