import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { parseManifest } from '@glasses-cloud/contract'
import manifest from 'captions/manifest.json' with { type: 'json' }
import type { Logger } from 'pino'
import type { Config } from '../../config/index.ts'
import type { BackgroundJob, Feature } from '../../feature.ts'
import { findFreePort } from '../../http/free-port.ts'
import type { ApiKeyStore, OrganizationStore } from '../../identity/index.ts'
import { PeriodicTask } from '../../jobs/index.ts'
import type { Clock } from '../../time/index.ts'
import { type App, type AppStore, registerApp } from '../catalogue/index.ts'

/** An app for the first minutes of a new cloud: live captions, served by the cloud itself (`SAMPLE_APP`). */
export function createSampleApp(deps: SampleAppDeps): Feature {
  return { name: 'sample-app', jobs: [new SampleApp(deps)] }
}

/** Not the package of `apps/captions/manifest.json`, which developers register themselves. */
export const SAMPLE_PACKAGE = 'dev.glasses-cloud.captions'

const PACKAGE_NAME = SAMPLE_PACKAGE

/** Time after which the app is started again when it has stopped. */
const RESTART_MS = 10_000

/** In a bundle the app is a file of its own beside the chunks. */
const PROGRAM = new URL(
  import.meta.url.endsWith('.ts') ? 'sample-app-program.ts' : 'sample-app-program.mjs',
  import.meta.url,
)

export interface SampleAppDeps {
  readonly config: Config
  /** The certificate of the cloud's own authority in PEM; undefined if it has none. */
  readonly authority: string | undefined
  readonly apps: AppStore
  readonly apiKeyStore: ApiKeyStore
  readonly organizations: OrganizationStore
  readonly clock: Clock
  /** Epoch ms. */
  readonly now: () => number
  readonly log: Logger
}

/**
 * Runs the captions app in a process of its own, published in its store, on a loopback port and with a new API key at
 * each start. Where `SAMPLE_APP` is off, an app that was published before is taken out of the store.
 */
class SampleApp implements BackgroundJob {
  readonly #deps: SampleAppDeps
  readonly #task: PeriodicTask
  #process: ChildProcess | undefined
  #isStopped = false

  constructor(deps: SampleAppDeps) {
    this.#deps = deps
    this.#task = new PeriodicTask({
      clock: deps.clock,
      everyMs: RESTART_MS,
      run: () => this.#run(),
      failed: (err) => deps.log.error({ err }, 'the sample app does not run'),
    })
  }

  start(countFailure?: () => void): void {
    if (this.#deps.config.apps.sample) this.#task.start(countFailure)
    else
      void this.#unpublish().catch((err) => this.#deps.log.error({ err }, 'the sample app stays published'))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#process?.kill('SIGKILL')
    await this.#task.stop()
  }

  /** Runs the app until it exits. */
  async #run(): Promise<void> {
    const { apps, apiKeyStore: apiKeys, organizations, now } = this.#deps
    const existing = await apps.findByPackage(PACKAGE_NAME)
    if (existing && !isOurs(existing))
      throw new Error(`${PACKAGE_NAME} belongs to a developer; set SAMPLE_APP=off`)
    const port = await findFreePort()
    const parsed = parseManifest(manifest)
    if (!parsed.ok) throw new Error(parsed.problems.join(' '))
    const publicUrl = `http://127.0.0.1:${port}`
    const { apiKey } = await registerApp(
      { apps, apiKeys, organizations },
      { ...parsed.manifest, packageName: PACKAGE_NAME, publicUrl },
      now(),
      { rotate: true },
    )
    if (this.#isStopped) return
    const { authority } = this.#deps
    this.#process = fork(PROGRAM, authority === undefined ? [] : [authority], {
      // A small heap. The options of the cloud's own process are not passed on.
      execArgv: ['--max-old-space-size=128'],
      env: { API_KEY: apiKey, PACKAGE_NAME, PORT: String(port), HOST: '127.0.0.1' },
      // What the app SDK logs may be about users.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    await once(this.#process, 'exit')
    if (!this.#isStopped) this.#deps.log.warn({ restartMs: RESTART_MS }, 'the sample app stopped')
  }

  async #unpublish(): Promise<void> {
    const { apps, now } = this.#deps
    const app = await apps.findByPackage(PACKAGE_NAME)
    if (app && isOurs(app) && app.appStoreStatus === 'PUBLISHED')
      await apps.update(app.id, { appStoreStatus: 'DEVELOPMENT' }, now())
  }
}

/** Whether the cloud registered the app, and no developer. */
function isOurs({ developerId, organization }: App): boolean {
  return developerId === null && organization === null
}
