import { queryOptions, skipToken, useQueryClient } from '@tanstack/react-query'
import { appsQuery } from './apps.ts'
import { api, unwrap } from './client.ts'
import { reload } from './query-client.ts'
import type { components } from './schema.d.ts'

/** An app as its developers see it. */
export type DeveloperApp = components['schemas']['DeveloperApp']
export type ApiKeyInfo = components['schemas']['ApiKeyInfo']
export type AppEvent = components['schemas']['AppEvent']
export type AppPing = components['schemas']['AppPing']
export type AppUsageDay = components['schemas']['AppUsageDay']

const pathOf = (packageName: string) => ({ params: { path: { packageName } } })

/** The apps of the user and of the user's organizations. */
export const developerAppsQuery = queryOptions({
  queryKey: ['developer', 'apps'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/api/console/apps', { signal }))).data,
})

/** The list of apps, without the queries of single apps. */
const LIST = { queryKey: developerAppsQuery.queryKey, exact: true }

/** One of the user's apps. */
export const developerAppQuery = (packageName: string) =>
  queryOptions({
    queryKey: ['developer', 'apps', packageName],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/api/console/apps/{packageName}', { ...pathOf(packageName), signal }))).data,
  })

/** The live API keys of an app, newest first, without the keys themselves. */
export const keysQuery = (packageName: string) =>
  queryOptions({
    queryKey: ['developer', 'keys', packageName],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/api/console/apps/{packageName}/keys', { ...pathOf(packageName), signal })))
        .data,
  })

/** The use of an app on each of the last days. */
export const usageQuery = (packageName: string, days: number) =>
  queryOptions({
    queryKey: ['developer', 'usage', packageName, days],
    queryFn: async ({ signal }) => {
      const params = { path: { packageName }, query: { days } }
      return (await unwrap(api.GET('/api/console/apps/{packageName}/usage', { params, signal }))).data
    },
  })

/** The API key that was made last for an app. It is only in the memory of the page, until that is closed or reloaded. */
export const newKeyQuery = (packageName: string) =>
  queryOptions<string | null>({
    queryKey: ['new-key', packageName],
    queryFn: skipToken,
    staleTime: 'static',
    gcTime: Number.POSITIVE_INFINITY,
  })

/** Creates an app from its manifest. The key is kept for the pages that follow. */
export function useCreateApp() {
  const queryClient = useQueryClient()
  return async (manifest: object, orgId: string | undefined) => {
    const query = orgId === undefined ? {} : { orgId }
    const body = { ...manifest }
    const { data } = await unwrap(api.POST('/api/console/apps', { params: { query }, body }))
    const { packageName } = data.app
    queryClient.setQueryData(newKeyQuery(packageName).queryKey, data.apiKey)
    queryClient.setQueryData(developerAppQuery(packageName).queryKey, data.app)
    await reload(queryClient, LIST)
    return data
  }
}

/** What a developer can do with an app; each returns the app as it is then. */
export function useAppChanges(packageName: string) {
  const queryClient = useQueryClient()
  const path = pathOf(packageName)
  const store = async (request: Promise<{ data: DeveloperApp }>): Promise<DeveloperApp> => {
    const { data } = await request
    queryClient.setQueryData(developerAppQuery(packageName).queryKey, data)
    await reload(queryClient, LIST, appsQuery)
    return data
  }
  return {
    /** Sends changed fields of the manifest. */
    update: (changes: object) =>
      store(
        unwrap(
          api.PATCH('/api/console/apps/{packageName}', {
            ...path,
            body: changes as Record<string, unknown>,
          }),
        ),
      ),
    publish: () => store(unwrap(api.POST('/api/console/apps/{packageName}/publish', path))),
    unpublish: () => store(unwrap(api.POST('/api/console/apps/{packageName}/unpublish', path))),
    /** @param orgId null: the user owns the app */
    move: (orgId: string | null) =>
      store(unwrap(api.POST('/api/console/apps/{packageName}/move', { ...path, body: { orgId } }))),
    setLogo: (file: File) =>
      store(unwrap(api.POST('/api/console/apps/{packageName}/logo', { ...path, ...formOf(file) }))),
    addScreenshot: (file: File) =>
      store(unwrap(api.POST('/api/console/apps/{packageName}/screenshots', { ...path, ...formOf(file) }))),
    /** @param url the URL of the screenshot */
    deleteScreenshot: (url: string) => {
      const params = { path: { packageName, image: url.slice(url.lastIndexOf('/') + 1) } }
      return store(unwrap(api.DELETE('/api/console/apps/{packageName}/screenshots/{image}', { params })))
    },
    /** Deletes the app. @param leave leaves its pages, which could not be loaded any longer */
    remove: async (leave: () => Promise<void>) => {
      await unwrap(api.DELETE('/api/console/apps/{packageName}', path))
      await leave()
      queryClient.removeQueries({ queryKey: developerAppQuery(packageName).queryKey })
      queryClient.removeQueries({ queryKey: newKeyQuery(packageName).queryKey })
      await reload(queryClient, LIST, appsQuery)
    },
  }
}

/** Makes and revokes API keys of an app. */
export function useKeyChanges(packageName: string) {
  const queryClient = useQueryClient()
  const reloadKeys = () => reload(queryClient, keysQuery(packageName))
  return {
    make: async () => {
      const { data } = await unwrap(api.POST('/api/console/apps/{packageName}/keys', pathOf(packageName)))
      queryClient.setQueryData(newKeyQuery(packageName).queryKey, data.apiKey)
      await reloadKeys()
    },
    revoke: async (keyId: string) => {
      const params = { path: { packageName, keyId } }
      await unwrap(api.DELETE('/api/console/apps/{packageName}/keys/{keyId}', { params }))
      await reloadKeys()
    },
    /** Forgets the key that is shown. */
    forget: () => queryClient.setQueryData(newKeyQuery(packageName).queryKey, null),
  }
}

/** Tests the connection between the cloud and an app. */
export const pingApp = async (packageName: string): Promise<AppPing> =>
  (await unwrap(api.POST('/api/console/apps/{packageName}/ping', pathOf(packageName)))).data

/** The body of a request that uploads a file as a form. */
function formOf(file: File) {
  const form = new FormData()
  form.append('file', file)
  // The OpenAPI document describes the file as a string of bytes.
  return { body: { file: file.name }, bodySerializer: () => form }
}
