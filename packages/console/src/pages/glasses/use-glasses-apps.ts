import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type App, appsQuery, installedQuery } from '../../api/apps.ts'
import { liveSessionQuery } from '../../api/live-session.ts'
import { reload } from '../../api/query-client.ts'
import type { SimulatorState } from '../../simulator/simulator-state.ts'
import type { AppCounts } from './next-step.ts'

/** The apps of the wearer; undefined until they are loaded. */
export interface GlassesApps {
  readonly counts: AppCounts
  /** Installed apps. */
  readonly installed: readonly App[]
  /** Apps that run or start. */
  readonly active: readonly App[]
  /** Apps to try: installed ones first. */
  readonly suggested: readonly App[]
  readonly isInstalled: (app: App) => boolean
}

/** Messages after which the list of apps has changed. */
const CHANGES: ReadonlySet<string> = new Set(['app_started', 'app_stopped', 'app_state_change'])

/**
 * Returns the apps of the wearer, and loads them again when the glasses are told of a change.
 * @param frames of the glasses, if they are simulated ones
 */
export function useGlassesApps({
  frames = [],
}: Partial<Pick<SimulatorState, 'frames'>> = {}): GlassesApps | undefined {
  const { data: apps } = useQuery(appsQuery)
  const { data: installedNames } = useQuery(installedQuery)
  const { data: session } = useQuery(liveSessionQuery)
  const queryClient = useQueryClient()
  const lastChange = frames.findLast(({ type }) => CHANGES.has(type))?.id
  useEffect(() => {
    if (lastChange !== undefined) void reload(queryClient, appsQuery)
  }, [queryClient, lastChange])

  if (apps === undefined || installedNames === undefined || session === undefined) return undefined
  const isInstalled = ({ packageName }: App) => installedNames.has(packageName)
  const isRunning = ({ packageName }: App) => session.runningApps.includes(packageName)
  const isStarting = ({ packageName }: App) => session.startingApps.includes(packageName)
  const installed = apps.filter(isInstalled)
  const active = apps.filter((app) => isRunning(app) || isStarting(app))
  return {
    counts: {
      visible: apps.length,
      installed: installed.length,
      starting: apps.filter(isStarting).length,
      running: apps.filter(isRunning).length,
    },
    installed,
    active,
    suggested: installed.length > 0 ? installed : apps,
    isInstalled,
  }
}
