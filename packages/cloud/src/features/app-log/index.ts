import type { Logger } from 'pino'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { AccessWatch } from '../../identity/index.ts'
import { PeriodicTask } from '../../jobs/index.ts'
import type { AppRecorder } from '../../session-host/index.ts'
import type { Clock } from '../../time/index.ts'
import type { AppStore, Catalogue, InstallStore } from '../catalogue/index.ts'
import { AppLog } from './app-log.ts'
import { AppLogStore } from './app-log-store.ts'
import { appLogEndpoints, streamLog } from './endpoints.ts'

const SWEEP_INTERVAL_MS = 60_000

export interface AppLogFeatureDeps {
  readonly clock: Clock
  readonly access: AccessWatch
  readonly db: Database
  readonly apps: AppStore
  readonly catalogue: Catalogue
  readonly installs: InstallStore
  /** Key of the hashes of users. */
  readonly secret: string
  readonly log: Logger
  readonly signal: AbortSignal
}

/** What happens to apps, for their developers: `/api/console/apps/:packageName/logs` and `/usage`. */
export function createAppLog(
  deps: AppLogFeatureDeps,
): Feature & { readonly recorder: AppRecorder; sweep(): Promise<void> } {
  const { clock, log } = deps
  const store = new AppLogStore(deps.db)
  const appLog = new AppLog({ ...deps, store })
  const endpointDeps = { ...deps, appLog, store }
  const sweep = new PeriodicTask({
    clock,
    everyMs: SWEEP_INTERVAL_MS,
    run: () => appLog.sweep(),
    failed: (err) => log.error({ err }, 'app-log: old entries could not be deleted'),
  })
  return {
    name: 'app-log',
    recorder: appLog,
    sweep: () => appLog.sweep(),
    endpoints: [...appLogEndpoints(endpointDeps), streamLog(endpointDeps)],
    jobs: [sweep],
    close: () => appLog.flush(),
  }
}
