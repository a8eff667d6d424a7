import type { QueryClient } from '@tanstack/react-query'
import { type App, appsQuery } from './apps.ts'
import { api, unwrap } from './client.ts'
import { liveSessionQuery } from './live-session.ts'
import { reload } from './query-client.ts'

/** What a user can do with an app. */
export type AppAction = 'install' | 'uninstall' | 'start' | 'stop'

type AppName = Pick<App, 'packageName' | 'name'>

export interface AppActionOptions {
  readonly packageName: string
  readonly action: AppAction
  /** Called with the apps that the cloud stopped for it, also if it fails afterwards. */
  readonly onStopped: (apps: readonly AppName[]) => void
}

/** Performs an action on an app, then reloads what it changed. */
export async function performAppAction(
  queryClient: QueryClient,
  { packageName, action, onStopped }: AppActionOptions,
): Promise<void> {
  const params = { path: { packageName } }
  const requests = {
    install: () => api.POST('/api/apps/install/{packageName}', { params }),
    uninstall: () => api.POST('/api/apps/uninstall/{packageName}', { params }),
    start: () => api.POST('/api/apps/{packageName}/start', { params }),
    stop: () => api.POST('/api/apps/{packageName}/stop', { params }),
  }
  const others = action === 'start' ? otherStandardApps(queryClient, packageName) : []
  try {
    await unwrap<unknown>(requests[action]())
  } finally {
    const stopped = await findStopped(queryClient, others)
    if (stopped.length > 0) onStopped(stopped)
    await reload(queryClient, appsQuery)
  }
}

/** Returns the other standard apps that run. */
function otherStandardApps(queryClient: QueryClient, packageName: string): readonly AppName[] {
  const apps = queryClient.getQueryData(appsQuery.queryKey)
  const session = queryClient.getQueryData(liveSessionQuery.queryKey)
  return findOtherStandardApps(apps, session?.runningApps, packageName)
}

/** Returns those of the apps that run no longer; none if that cannot be found out. */
async function findStopped(queryClient: QueryClient, apps: readonly AppName[]): Promise<readonly AppName[]> {
  if (apps.length === 0) return []
  const session = await queryClient.fetchQuery({ ...liveSessionQuery, staleTime: 0 }).catch(() => undefined)
  if (session === undefined) return []
  const live = [...session.runningApps, ...session.startingApps]
  return apps.filter(({ packageName }) => !live.includes(packageName))
}

/**
 * Finds the standard apps that run, except one. Only one runs at a time: the start of another one stops it.
 * @param running package names, if known
 */
export function findOtherStandardApps(
  apps: readonly App[] | undefined,
  running: readonly string[] | undefined,
  packageName: string,
): readonly AppName[] {
  const isRunning = (app: App) => running?.includes(app.packageName) ?? app.is_running
  return (apps ?? []).filter(
    (app) => app.appType === 'STANDARD' && app.packageName !== packageName && isRunning(app),
  )
}
