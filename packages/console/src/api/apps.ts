import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { PermissionType } from '../permissions.ts'
import { allPages, api, unwrap, unwrapPage, withCursor } from './client.ts'
import { reload } from './query-client.ts'
import type { components } from './schema.d.ts'

/** An app of the store, with its running state and its compatibility with the connected glasses. */
export type App = components['schemas']['App']

/** An app with its state for everybody: whether its server answers, and whether it may be uninstalled. */
export type AppDetails = components['schemas']['AppWithScreenshots']

/** The apps that the user may see. */
export const appsQuery = queryOptions({
  queryKey: ['apps'],
  queryFn: ({ signal }) =>
    allPages((cursor) => unwrapPage(api.GET('/api/apps', { params: { query: withCursor(cursor) }, signal }))),
})

/** Package names of the installed apps. */
export const installedQuery = queryOptions({
  queryKey: ['apps', 'installed'],
  queryFn: async ({ signal }) => {
    const apps = await allPages((cursor) =>
      unwrapPage(api.GET('/api/apps/installed', { params: { query: withCursor(cursor) }, signal })),
    )
    return new Set(apps.map((app) => app.packageName))
  },
})

/** The details of an app, permissions included. */
export const appQuery = (packageName: string) =>
  queryOptions({
    queryKey: ['apps', 'details', packageName],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/api/apps/{packageName}', { params: { path: { packageName } }, signal }))).data,
  })

/** Returns a function that accepts permissions of an app, then reloads the apps. */
export function useAcceptPermissions(packageName: string) {
  const queryClient = useQueryClient()
  return async (permissions: PermissionType[]): Promise<void> => {
    try {
      const params = { path: { packageName } }
      await unwrap(api.POST('/api/apps/{packageName}/permissions/accept', { params, body: { permissions } }))
    } finally {
      await reload(queryClient, appsQuery)
    }
  }
}
