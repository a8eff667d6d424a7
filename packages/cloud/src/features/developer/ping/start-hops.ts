import type { AppState } from '@glasses-cloud/contract'
import type { User } from '../../../identity/index.ts'
import { type StartOutcome, toAppDefinition } from '../../../session/index.ts'
import type { SessionDirectory } from '../../../session-host/index.ts'
import type { App, AppStore } from '../../catalogue/index.ts'
import { failed, type HopResult, passed, skipped } from './connection-hops.ts'

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
export async function testStart(deps: StartTestDeps, user: Pick<User, 'id'>, app: App): Promise<StartTest> {
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
