import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type AppAction, findOtherStandardApps, performAppAction } from '../../api/app-actions.ts'
import { type App, appsQuery } from '../../api/apps.ts'
import { liveSessionQuery, useRunState } from '../../api/live-session.ts'
import { reportFailure, reportSuccess } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatList, plural } from '../../format.ts'

const DONE = {
  install: (name: string) => `${name} is installed`,
  uninstall: (name: string) => `${name} is uninstalled`,
  start: (name: string) => `${name} is running`,
  stop: (name: string) => `${name} has stopped`,
} as const

/** What the controls of an app read of it. */
export type ControlledApp = Pick<App, 'packageName' | 'name' | 'appType' | 'is_running' | 'newPermissions'>

/**
 * The state of the controls of an app: what can be done next, and how the last action ended.
 * @param isQuiet whether success needs no message
 */
export function useAppControls(app: ControlledApp, isInstalled: boolean, isQuiet = false) {
  const perform = usePerform(app, isQuiet)
  const state = useRunState(app.packageName, app.is_running)
  const { data: session } = useQuery(liveSessionQuery)
  const { run, reset, isPending, input, error } = useAction(perform, {
    about: `${session?.glasses?.modelName} ${state === 'running'}`,
  })
  const main: AppAction = state !== 'stopped' ? 'stop' : isInstalled ? 'start' : 'install'
  const stops = useStoppedBy(app, main)
  return { app, isInstalled, perform, run, reset, isPending, input, error, main, stops }
}

export type AppControls = ReturnType<typeof useAppControls>

/** Returns a function that performs an action and reports what it did, and always what it did to other apps, with a way back. */
function usePerform({ packageName, name }: Pick<App, 'packageName' | 'name'>, isQuiet: boolean) {
  const queryClient = useQueryClient()
  /** Only one of the stopped apps can run again. */
  const startAgain = (stopped: Pick<App, 'packageName' | 'name'>) =>
    performAppAction(queryClient, {
      packageName: stopped.packageName,
      action: 'start',
      onStopped: () => {},
    }).then(() => reportSuccess(`${stopped.name} is running`), reportFailure)
  const reportStopped = (stopped: readonly Pick<App, 'packageName' | 'name'>[]) => {
    const [first] = stopped
    if (first === undefined) return
    const were = plural(stopped.length, { one: 'was', other: 'were' })
    reportSuccess(`${formatList(stopped.map((app) => app.name))} ${were} stopped`, {
      label: 'Undo',
      onPress: () => void startAgain(first),
    })
  }
  return async (action: AppAction): Promise<void> => {
    await performAppAction(queryClient, { packageName, action, onStopped: reportStopped })
    if (!isQuiet) reportSuccess(DONE[action](name))
  }
}

/** Names the apps that the start of an app stops. */
function useStoppedBy({ packageName, appType }: ControlledApp, action: AppAction): readonly string[] {
  const { data: apps } = useQuery(appsQuery)
  const { data: session } = useQuery(liveSessionQuery)
  if (action !== 'start' || appType !== 'STANDARD') return []
  return findOtherStandardApps(apps, session?.runningApps, packageName).map(({ name }) => name)
}
