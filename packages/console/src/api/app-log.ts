import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { BASE_PATH } from '../base-path.ts'
import { api, unwrap } from './client.ts'
import type { components } from './schema.d.ts'

export type AppLogEntry = components['schemas']['AppLogEntry']

/** Entries that the page keeps. */
const MAX_ENTRIES = 1_000

/** The log of an app while it is followed. */
export interface AppLogState {
  /** Newest first. */
  readonly entries: readonly AppLogEntry[]
  readonly connection: 'connecting' | 'live' | 'lost'
  /** Why the entries could not be read. */
  readonly error: Error | undefined
}

const START: AppLogState = { entries: [], connection: 'connecting', error: undefined }

/**
 * Follows the log of an app by server-sent events. After each connection the stored entries are read as well, so that
 * none of those is missed that were written before.
 */
export function useAppLog(packageName: string): AppLogState & { readonly retry: () => void } {
  const [state, setState] = useState(START)
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens another stream
  useEffect(() => {
    setState(START)
    const left = new AbortController()
    const add = (added: readonly AppLogEntry[]) =>
      setState((before) => ({ ...before, entries: merge(before.entries, added) }))
    const path = `${BASE_PATH}/api/console/apps/${encodeURIComponent(packageName)}/logs/stream`
    const events = new EventSource(path)
    events.addEventListener('open', () => {
      setState((before) => ({ ...before, connection: 'live', error: undefined }))
      const params = { path: { packageName }, query: { limit: 200 } }
      unwrap(api.GET('/api/console/apps/{packageName}/logs', { params, signal: left.signal })).then(
        ({ data }) => add(data),
        (error: unknown) => {
          if (!left.signal.aborted) setState((before) => ({ ...before, error: asError(error) }))
        },
      )
    })
    events.addEventListener('message', ({ data }) => add([JSON.parse(String(data))]))
    // The browser connects again by itself, unless the cloud rejected the request.
    events.addEventListener('error', () => setState((before) => ({ ...before, connection: 'lost' })))
    return () => {
      left.abort()
      events.close()
    }
  }, [packageName, attempt])

  return { ...state, retry: () => setAttempt((count) => count + 1) }
}

function merge(known: readonly AppLogEntry[], added: readonly AppLogEntry[]): readonly AppLogEntry[] {
  const byId = new Map([...known, ...added].map((entry) => [entry.id, entry]))
  return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, MAX_ENTRIES)
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

/** The newest entries of the log of an app. */
export const latestAppLogQuery = (packageName: string) =>
  queryOptions({
    queryKey: ['developer', 'log', packageName],
    queryFn: async ({ signal }) => {
      const params = { path: { packageName }, query: { limit: 200 } }
      return (await unwrap(api.GET('/api/console/apps/{packageName}/logs', { params, signal }))).data
    },
  })

/** The entry of the last start that failed for a reason; null if none is stored. */
export const failedStartQuery = (packageName: string, stage: string, code: string) =>
  queryOptions({
    queryKey: ['developer', 'failed-start', packageName, stage, code],
    // Each failure has its own entry.
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }) => {
      const params = { path: { packageName }, query: { limit: 50 } }
      const { data } = await unwrap(api.GET('/api/console/apps/{packageName}/logs', { params, signal }))
      const isEntry = (entry: AppLogEntry) =>
        entry.event === 'failed' && entry.stage === stage && entry.code === code
      return data.find(isEntry)?.id ?? null
    },
  })

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
