import assert from 'node:assert/strict'
import { blank } from '@glasses-cloud/contract'
import { packages, type World } from './world.ts'

/** What must hold at every moment, whatever happened. */
export function checkAlways(world: World): void {
  const { session, glasses, clock } = world
  const { activeApps, apps } = session.appState

  const openGlasses = glasses.filter(({ closed }) => !closed)
  assert(openGlasses.length <= 1, 'one glasses socket at most is open')
  if (openGlasses.length === 1)
    assert.equal(openGlasses[0], glasses.at(-1), 'the newest connection holds the session')

  for (const packageName of packages) {
    assert(world.openPeers(packageName).length <= 1, `${packageName} has one socket at most`)
  }
  for (const packageName of activeApps) {
    assert(world.wanted.has(packageName), `${packageName} runs though nobody wants it`)
  }
  const standard = activeApps.filter((packageName) => packageName.includes('standard'))
  assert(standard.length <= 1, 'one standard app at most runs')
  assert.equal(new Set(apps.map(({ packageName }) => packageName)).size, apps.length, 'an app is listed once')
  assert(clock.pending < 200, 'timers do not pile up')
}

/** What must hold once nothing moves any more and glasses are connected. */
export function checkAtRest(world: World): void {
  const { session, rows } = world
  const glasses = world.currentGlasses
  assert(glasses, 'glasses are connected')
  const { activeApps, loadingApps, apps, revision } = session.appState
  assert.deepEqual(loadingApps, [], 'nothing is still loading')
  assert.equal(apps.length, activeApps.length, 'nothing is still stopping')
  assert.equal(world.starts.answered, world.starts.asked, 'every start was answered')
  assert.equal(world.stops.answered, world.stops.asked, 'every stop was answered')

  const told = glasses.last('app_state_change')
  if (told) {
    assert.equal(told.revision, revision, 'the glasses know the last revision')
    assert.deepEqual(told.activeApps, activeApps, 'the glasses know which apps run')
  } else
    assert.deepEqual(
      (glasses.last('connection_ack')?.userSession as { activeAppSessions: string[] } | undefined)
        ?.activeAppSessions,
      activeApps,
    )

  for (const packageName of activeApps) {
    assert(rows.has(packageName), `${packageName} runs and is stored as running`)
    assert.equal(world.openPeers(packageName).length, 1, `${packageName} runs and has a socket`)
    assert.equal(world.openPeers(packageName)[0]?.of('tpa_connection_ack').length, 1, 'and was acknowledged')
  }
  for (const packageName of packages) {
    if (!activeApps.includes(packageName))
      assert.equal(world.openPeers(packageName).length, 0, `${packageName} is gone`)
  }
  checkMicrophone(world)
  checkLens(world)
}

function checkMicrophone({ session, currentGlasses }: World): void {
  const told = currentGlasses?.last('microphone_state_change')?.isMicrophoneEnabled
  session.broadcastAppState()
  const snapshot = currentGlasses?.last('app_state_change')?.userSession as
    | { requiresAudio: boolean }
    | undefined
  assert.equal(told, snapshot?.requiresAudio, 'the microphone is on exactly when an app needs sound')
}

/** The main app's last picture is on the lens; without one, the background app's; never one of an app that is gone. */
function checkLens({ session, currentGlasses, pictures }: World): void {
  const { activeApps } = session.appState
  const main = activeApps.find((packageName) => packageName.includes('standard')) ?? activeApps[0]
  const shown = currentGlasses
    ?.of('display_event')
    .filter(({ view }) => view === 'main')
    .at(-1)
  if (main === undefined) {
    if (shown) assert.deepEqual(shown.layout, blank, 'without apps the lens is blank')
    return
  }
  assert.equal(shown?.packageName, main, 'the lens belongs to the main app')
  assert.deepEqual(
    shown?.layout,
    { layoutType: 'text_wall', text: pictures.get(main) },
    'and shows its last picture',
  )
}

/** What must hold after the end. */
export function checkAfterEnd(world: World): void {
  const said = [...world.glasses, ...[...world.appPeers.values()].flat()].map(({ sent }) => sent.length)
  world.clock.advance(10 * 60_000)
  const later = [...world.glasses, ...[...world.appPeers.values()].flat()].map(({ sent }) => sent.length)
  assert.deepEqual(later, said, 'nothing is said after the end')
  assert.equal(world.ended, 1, 'the session ends once')
  assert.equal(world.clock.pending, 0, 'no timer outlives the session')
  for (const packageName of packages)
    assert.equal(world.openPeers(packageName).length, 0, 'sockets are closed')
  assert.equal(world.starts.answered, world.starts.asked, 'every start was answered')
  assert.equal(world.stops.answered, world.stops.asked, 'every stop was answered')
}
