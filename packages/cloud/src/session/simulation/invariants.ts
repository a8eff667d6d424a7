import assert from 'node:assert/strict'
import type { Environment } from './environment.ts'
import { PACKAGES } from './fixtures.ts'

/** Asserts the invariants that hold after every step. */
export function checkAlways(env: Environment): void {
  const { glasses, clock, activeApps, apps } = env

  const openGlasses = glasses.filter(({ closed }) => !closed)
  assert(openGlasses.length <= 1, 'at most one glasses socket is open')
  if (openGlasses.length === 1)
    assert.equal(openGlasses[0], glasses.at(-1), 'the newest glasses connection is the open one')

  for (const packageName of PACKAGES) {
    assert(env.appSockets.openPeers(packageName).length <= 1, `${packageName} has at most one socket`)
  }
  for (const packageName of activeApps) {
    assert(env.requestedApps.has(packageName), `${packageName} runs only if the user started it`)
  }
  const standard = activeApps.filter((packageName) => packageName.includes('standard'))
  assert(standard.length <= 1, 'at most one standard app runs')
  assert.equal(new Set(apps.map(({ packageName }) => packageName)).size, apps.length, 'an app is listed once')
  assert(clock.pendingTimers < 500, 'the number of timers is bounded')
  for (const area of env.areas) area.checkAlways?.()
}

/** Asserts the invariants that hold when nothing is in progress and glasses are connected. */
export function checkAtRest(env: Environment): void {
  const { session } = env
  const { rows } = env.database
  const glasses = env.currentGlasses
  assert(glasses, 'glasses are connected')
  const { activeApps, loadingApps, apps, revision } = session.appState
  assert.deepEqual(loadingApps, [], 'no app is starting')
  assert.equal(apps.length, activeApps.length, 'no app is stopping')
  assert.equal(env.starts.answered, env.starts.requested, 'every start was answered')
  assert.equal(env.stops.answered, env.stops.requested, 'every stop was answered')

  const lastChange = glasses.lastOfType('app_state_change')
  if (lastChange) {
    assert.equal(lastChange.revision, revision, 'the glasses received the last revision')
    assert.deepEqual(lastChange.activeApps, activeApps, 'the glasses received the list of running apps')
  } else
    assert.deepEqual(
      (glasses.lastOfType('connection_ack')?.userSession as { activeAppSessions: string[] } | undefined)
        ?.activeAppSessions,
      activeApps,
    )

  for (const packageName of activeApps) {
    assert(rows.has(packageName), `${packageName} is stored as running while it runs`)
    assert.equal(
      env.appSockets.openPeers(packageName).length,
      1,
      `${packageName} has one socket while it runs`,
    )
    assert.equal(
      env.appSockets.openPeers(packageName)[0]?.messagesOfType('tpa_connection_ack').length,
      1,
      'the socket of a running app was acknowledged once',
    )
  }
  for (const packageName of PACKAGES) {
    if (!activeApps.includes(packageName))
      assert.equal(
        env.appSockets.openPeers(packageName).length,
        0,
        `${packageName} has no socket when it does not run`,
      )
  }
  for (const area of env.areas) area.checkAtRest?.()
}

/** Asserts the invariants that hold after the end of the session. */
export function checkAfterEnd(env: Environment): void {
  const before = [...env.glasses, ...env.appSockets.recentPeers].map(({ sent }) => sent.length)
  env.clock.advance(10 * 60_000)
  const after = [...env.glasses, ...env.appSockets.recentPeers].map(({ sent }) => sent.length)
  assert.deepEqual(after, before, 'nothing is sent after the end')
  assert.equal(env.endCount, 1, 'the session ends once')
  assert.equal(env.clock.pendingTimers, 0, 'no timer outlives the session')
  for (const packageName of PACKAGES)
    assert.equal(env.appSockets.openPeers(packageName).length, 0, 'all sockets are closed')
  assert.equal(env.starts.answered, env.starts.requested, 'every start was answered')
  assert.equal(env.stops.answered, env.stops.requested, 'every stop was answered')
  for (const area of env.areas) area.checkAfterEnd?.()
}
