import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { BASE_PATH } from '../base-path.ts'
import { appsQuery } from './apps.ts'
import { api, unwrap } from './client.ts'
import { photosQuery } from './gallery.ts'
import { reload } from './query-client.ts'
import type { components } from './schema.d.ts'
import { sessionWatch } from './session.ts'

/** Which glasses are connected, and which apps run. */
export type LiveSession = components['schemas']['LiveSession']

/** First and longest pause in ms before a stream that was rejected is opened again. */
const FIRST_RETRY_MS = 2_000
const LAST_RETRY_MS = 60_000

/** The live session of the user, kept up to date by `useLiveUpdates`. */
export const liveSessionQuery = queryOptions({
  queryKey: ['live-session'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/session', { signal })),
})

/** The state of an app in the live session. */
export type RunState = 'stopped' | 'starting' | 'running'

/** Returns whether an app runs. @param isRunning as it was loaded, until the session is known */
export function useRunState(packageName: string, isRunning: boolean): RunState {
  const { data: session } = useQuery(liveSessionQuery)
  if (session === undefined) return isRunning ? 'running' : 'stopped'
  if (session.runningApps.includes(packageName)) return 'running'
  return session.startingApps.includes(packageName) ? 'starting' : 'stopped'
}

/**
 * Follows the live session, the apps and the gallery of the user while the page is visible: browsers open few connections
 * to a host, and every tab has a stream. Use it once.
 */
export function useLiveUpdates(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const stream = new LiveStream(queryClient)
    const followVisibility = () => (document.hidden ? stream.close() : stream.open())
    followVisibility()
    document.addEventListener('visibilitychange', followVisibility)
    return () => {
      document.removeEventListener('visibilitychange', followVisibility)
      stream.close()
    }
  }, [queryClient])
}

/** The stream of events. The browser opens it again when the connection is lost, but not when it was rejected. */
class LiveStream {
  readonly #queryClient: QueryClient
  #source: EventSource | undefined
  #retry: number | undefined
  #retryMs = FIRST_RETRY_MS

  constructor(queryClient: QueryClient) {
    this.#queryClient = queryClient
  }

  open(): void {
    this.close()
    const source = new EventSource(`${BASE_PATH}/api/session/events`)
    this.#source = source
    source.addEventListener('session', ({ data }) => {
      this.#retryMs = FIRST_RETRY_MS
      this.#receive(JSON.parse(data))
    })
    source.addEventListener('apps', () => this.#reload(appsQuery))
    source.addEventListener('gallery', () => this.#reload(photosQuery))
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) void this.#rejected(source)
    })
  }

  close(): void {
    window.clearTimeout(this.#retry)
    this.#source?.close()
    this.#source = undefined
  }

  /** Waits for the next sign-in if the user was signed out elsewhere; otherwise tries again later. */
  async #rejected(source: EventSource): Promise<void> {
    const hasEnded = await sessionWatch.hasEnded()
    if (hasEnded) await sessionWatch.resumed()
    if (source !== this.#source) return
    if (hasEnded) return this.open()
    this.#retry = window.setTimeout(() => this.open(), this.#retryMs)
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS)
  }

  #receive(session: LiveSession): void {
    const { queryKey } = liveSessionQuery
    const before = this.#queryClient.getQueryData(queryKey)
    this.#queryClient.setQueryData(queryKey, session)
    // Whether an app fits the glasses is part of the list.
    if (before?.glasses?.modelName !== session.glasses?.modelName) this.#reload(appsQuery)
  }

  #reload(query: typeof appsQuery | typeof photosQuery): void {
    void reload(this.#queryClient, query)
  }
}
