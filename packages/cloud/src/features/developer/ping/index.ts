import type { AppPing, AppState, PingHop } from '@glasses-cloud/contract'
import type { ApiKeyStore, User } from '../../../identity/index.ts'
import { type StartOutcome, toAppDefinition } from '../../../session/index.ts'
import type { SessionDirectory } from '../../../session-host/index.ts'
import type { WebhookClient, WebhookResponse, WebhookTarget } from '../../../webhooks/index.ts'
import { type App, type AppStore, webhookTarget } from '../../catalogue/index.ts'
import { failed, type HopResult, passed, skipped, testAddress, testTls } from './connection-hops.ts'
import { explainWebhook, sendTestCall, testSignature } from './webhook-hops.ts'

export interface StartTestDeps {
  readonly apps: AppStore
  readonly sessions: SessionDirectory
  readonly publicUrl: () => URL
}

/** What a start showed: whether the app connected, and whether its API key is valid. */
export interface StartTest {
  readonly socket: HopResult
  readonly key: HopResult
}

/**
 * Tests whether an app connects to the cloud: starts it in the session of the caller and stops it again. An app that
 * runs there keeps running. Sessions of other users are not affected.
 */
async function testStart(deps: StartTestDeps, user: Pick<User, 'id'>, app: App): Promise<StartTest> {
  const session = await deps.sessions.find(user.id)
  if (session === undefined)
    return notStarted('You have no session. Connect your glasses, or simulated ones, and ping again')
  const state = await session.appState()
  const wasInSession = state.apps.some(
    (one) => one.packageName === app.packageName && one.state !== 'stopping',
  )
  if (state.apps.some((one) => one.packageName === app.packageName && one.state === 'running'))
    return connected('The app is connected to your session')
  const other = app.appType === 'STANDARD' ? await findStandardApp(deps, state, app) : undefined
  if (other !== undefined)
    return notStarted(`${other} is running in your session and would be stopped. Stop it, and ping again`)
  // The session reads the permissions of the app itself.
  const requested = toAppDefinition({ ...app, permissions: [], permittedSince: {} })
  const outcome = await session.startApp(requested)
  if (!outcome.ok) return explain(outcome, deps.publicUrl())
  if (!wasInSession) await session.stopApp(app.packageName)
  return connected('The app connected to your session')
}

const notStarted = (reason: string): StartTest => ({
  socket: skipped(reason),
  key: skipped('Tested together with the socket'),
})

const connected = (message: string): StartTest => ({
  socket: passed(message),
  key: passed('The app connected with a live API key'),
})

/** Finds another app that the start would stop, because only one standard app runs at a time. */
async function findStandardApp(
  { apps }: StartTestDeps,
  state: AppState,
  { packageName }: App,
): Promise<string | undefined> {
  const others = state.apps.map((one) => one.packageName).filter((one) => one !== packageName)
  const found = await apps.findByPackages(others)
  return found.find(({ appType }) => appType === 'STANDARD')?.packageName
}

function explain({ stage, code, message }: Extract<StartOutcome, { ok: false }>, publicUrl: URL): StartTest {
  const reason = `The app did not start: ${message} (${stage}, ${code})`
  if (stage === 'HARDWARE_CHECK' || stage === 'STOPPED' || stage === 'STORE') return notStarted(reason)
  if (stage === 'AUTHENTICATION') {
    const action =
      'Start the app server with a live API key of this package; create another one in the console, or with "app keys PACKAGE --rotate"'
    return { socket: passed('The app connected to the cloud'), key: failed(reason, action) }
  }
  const remedy =
    stage === 'CONNECTION'
      ? 'connects when its webhook is called'
      : 'that its packageName and API key are those of this app'
  const action = `Check that the app server can reach ${publicUrl.origin}, the PUBLIC_URL of this cloud, and ${remedy}`
  return { socket: failed(reason, action), key: skipped('Tested together with the socket') }
}

export interface PingDeps extends StartTestDeps {
  readonly apiKeyStore: ApiKeyStore
  readonly webhooks: WebhookClient
  readonly allowPrivateNetworks: boolean
}

/** Tests the connection between the cloud and apps, hop by hop. */
export class Pings {
  readonly #deps: PingDeps
  /** Tests in progress, which simultaneous requests share; bounded by the requests in progress. */
  readonly #running = new Map<string, Promise<AppPing>>()

  constructor(deps: PingDeps) {
    this.#deps = deps
  }

  /** Tests an app that the user owns. */
  ping(user: Pick<User, 'id'>, app: App): Promise<AppPing> {
    const key = `${user.id} ${app.id}`
    const running = this.#running.get(key)
    if (running) return running
    const ping = this.#walk(user, app).finally(() => this.#running.delete(key))
    this.#running.set(key, ping)
    return ping
  }

  async #walk(user: Pick<User, 'id'>, app: App): Promise<AppPing> {
    const { webhooks, allowPrivateNetworks, apiKeyStore } = this.#deps
    const target = await webhookTarget(apiKeyStore, app)
    const call = { webhooks, app, target }
    // Hops after a failed one are not tested, so that later hops may rely on earlier ones.
    const url = () => new URL(target.publicUrl)
    let signed: WebhookResponse
    let start: StartTest
    return walk([
      ['name', async () => testName(app, target, (await apiKeyStore.list(app.id)).length)],
      ['address', () => testAddress(url(), allowPrivateNetworks)],
      ['tls', () => testTls(url(), allowPrivateNetworks)],
      [
        'webhook',
        async () => {
          signed = await sendTestCall(call)
          return explainWebhook(signed, url())
        },
      ],
      ['signature', () => testSignature(call, signed)],
      [
        'socket',
        async () => {
          start = await testStart(this.#deps, user, app)
          return start.socket
        },
      ],
      ['key', async () => start.key],
    ])
  }
}

/** Tests one hop after another until one fails. */
async function walk(
  tests: readonly (readonly [PingHop['hop'], () => Promise<HopResult>])[],
): Promise<AppPing> {
  const hops: PingHop[] = []
  let failedHop: PingHop['hop'] | undefined
  for (const [hop, test] of tests) {
    const startedAt = performance.now()
    const result = failedHop === undefined ? await test() : skipped(`Not tested, because ${failedHop} failed`)
    hops.push({ hop, ...result, durationMs: Math.round(performance.now() - startedAt) })
    if (result.status === 'failed') failedHop = hop
  }
  return { ok: failedHop === undefined, ...(failedHop !== undefined && { failedHop }), hops }
}

/** @param keys number of API keys, those that cannot sign included */
function testName({ packageName }: App, { publicUrl, signingKeys }: WebhookTarget, keys: number): HopResult {
  if (URL.parse(publicUrl) === null)
    return failed(
      `${packageName} has no valid address of its server (publicUrl)`,
      'Set publicUrl to the base URL of the app server',
    )
  if (signingKeys.length === 0 && keys > 0)
    return failed(
      `The cloud cannot sign with an API key of ${packageName}: AUTH_SECRET has changed since they were created`,
      'Create another key, and start the app server with it',
    )
  if (signingKeys.length === 0)
    return failed(
      `${packageName} has no API key`,
      'Create one in the console, or with "app keys PACKAGE --rotate"',
    )
  return passed(`${packageName} is registered with the address ${publicUrl}`)
}
