import assert from 'node:assert/strict'
import { packages } from './cast.ts'
import type { World } from './world.ts'

/** What must hold at every moment, whatever happened. */
export function checkAlways(world: World): void {
  const { glasses, clock, activeApps, apps } = world

  const openGlasses = glasses.filter(({ closed }) => !closed)
  assert(openGlasses.length <= 1, 'one glasses socket at most is open')
  if (openGlasses.length === 1)
    assert.equal(openGlasses[0], glasses.at(-1), 'the newest connection holds the session')

  for (const packageName of packages) {
    assert(world.appSockets.open(packageName).length <= 1, `${packageName} has one socket at most`)
  }
  for (const packageName of activeApps) {
    assert(world.wanted.has(packageName), `${packageName} runs though nobody wants it`)
  }
  const standard = activeApps.filter((packageName) => packageName.includes('standard'))
  assert(standard.length <= 1, 'one standard app at most runs')
  assert.equal(new Set(apps.map(({ packageName }) => packageName)).size, apps.length, 'an app is listed once')
  assert(clock.pendingTimers < 500, 'timers do not pile up')
  for (const area of world.areas) area.checkAlways?.()
}

/** What must hold once nothing moves any more and glasses are connected. */
export function checkAtRest(world: World): void {
  const { session } = world
  const { rows } = world.database
  const glasses = world.currentGlasses
  assert(glasses, 'glasses are connected')
  const { activeApps, loadingApps, apps, revision } = session.appState
  assert.deepEqual(loadingApps, [], 'nothing is still loading')
  assert.equal(apps.length, activeApps.length, 'nothing is still stopping')
  assert.equal(world.starts.answered, world.starts.asked, 'every start was answered')
  assert.equal(world.stops.answered, world.stops.asked, 'every stop was answered')

  const told = glasses.lastOfType('app_state_change')
  if (told) {
    assert.equal(told.revision, revision, 'the glasses know the last revision')
    assert.deepEqual(told.activeApps, activeApps, 'the glasses know which apps run')
  } else
    assert.deepEqual(
      (glasses.lastOfType('connection_ack')?.userSession as { activeAppSessions: string[] } | undefined)
        ?.activeAppSessions,
      activeApps,
    )

  for (const packageName of activeApps) {
    assert(rows.has(packageName), `${packageName} runs and is stored as running`)
    assert.equal(world.appSockets.open(packageName).length, 1, `${packageName} runs and has a socket`)
    assert.equal(
      world.appSockets.open(packageName)[0]?.messagesOfType('tpa_connection_ack').length,
      1,
      'and was acknowledged',
    )
  }
  for (const packageName of packages) {
    if (!activeApps.includes(packageName))
      assert.equal(world.appSockets.open(packageName).length, 0, `${packageName} is gone`)
  }
  for (const area of world.areas) area.checkAtRest?.()
}

/** What must hold after the end. */
export function checkAfterEnd(world: World): void {
  const said = [...world.glasses, ...world.appSockets.all].map(({ sent }) => sent.length)
  world.clock.advance(10 * 60_000)
  const later = [...world.glasses, ...world.appSockets.all].map(({ sent }) => sent.length)
  assert.deepEqual(later, said, 'nothing is said after the end')
  assert.equal(world.ended, 1, 'the session ends once')
  assert.equal(world.clock.pendingTimers, 0, 'no timer outlives the session')
  for (const packageName of packages)
    assert.equal(world.appSockets.open(packageName).length, 0, 'sockets are closed')
  assert.equal(world.starts.answered, world.starts.asked, 'every start was answered')
  assert.equal(world.stops.answered, world.stops.asked, 'every stop was answered')
  for (const area of world.areas) area.checkAfterEnd?.()
}
