import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { PermissionType } from '../permissions.ts'
import { api, unwrap } from './client.ts'
import { reload } from './reload.ts'
import type { components } from './schema.d.ts'

/** An app of the store, with its running state and its compatibility with the connected glasses. */
export type App = components['schemas']['App']

/** The apps that the user may see. */
export const appsQuery = queryOptions({
  queryKey: ['apps'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/api/apps', { signal }))).data,
})

/** Package names of the installed apps. */
export const installedQuery = queryOptions({
  queryKey: ['apps', 'installed'],
  queryFn: async ({ signal }) => {
    const { data } = await unwrap(api.GET('/api/apps/installed', { signal }))
    return new Set(data.map((app) => app.packageName))
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

/** What a user can do with an app. */
export type AppAction = 'install' | 'uninstall' | 'start' | 'stop'

/** Returns a function that performs an action on an app, then reloads what it changed. */
export function useAppAction(packageName: string) {
  const queryClient = useQueryClient()
  const params = { path: { packageName } }
  const requests = {
    install: () => api.POST('/api/apps/install/{packageName}', { params }),
    uninstall: () => api.POST('/api/apps/uninstall/{packageName}', { params }),
    start: () => api.POST('/api/apps/{packageName}/start', { params }),
    stop: () => api.POST('/api/apps/{packageName}/stop', { params }),
  }
  return async (action: AppAction): Promise<void> => {
    try {
      await unwrap<unknown>(requests[action]())
    } finally {
      await reload(queryClient, appsQuery)
    }
  }
}
