import assert from 'node:assert/strict'
import type { PermissionType } from '@glasses-cloud/contract'
import type { Environment } from '../environment.ts'
import { permissionsOf } from '../fixtures.ts'
import type { Area, Step } from './area.ts'

const PERMISSION_TYPES: readonly PermissionType[] = ['MICROPHONE', 'LOCATION', 'CAMERA', 'CALENDAR']

/** Time, connections, starts, stops and edits of apps. */
export class Lifecycle implements Area {
  readonly steps: readonly Step[] = [
    [4, '1 s passes', () => this.#advance(1_000)],
    [3, '20 s pass', () => this.#advance(20_000)],
    [1, '70 s pass', () => this.#advance(70_000)],
    [1, 'the wall clock jumps', () => this.#jumpWallClock()],
    [3, 'glasses connect', () => this.#env.connectGlasses()],
    [2, 'the glasses socket breaks', () => this.#env.breakGlasses()],
    [1, 'other glasses connect', () => this.#changeGlasses()],
    [5, 'an app is started', () => this.#env.start(this.#env.pickPackage())],
    [3, 'an app is stopped', () => this.#env.stop(this.#env.pickPackage())],
    [3, 'an app socket breaks', () => this.#env.appSockets.breakSocket(this.#env.pickPackage())],
    [
      2,
      'an app connects without a webhook call',
      () => this.#env.appSockets.connect(this.#env.pickPackage()),
    ],
    [1, 'an app releases its socket', () => this.#releaseApp()],
    [4, 'an app updates its subscriptions', () => this.#env.subscribe(this.#env.pickPackage())],
    [1, 'the permissions of an app change', () => this.#edit()],
    [
      1,
      'a client presents an invalid key',
      () => this.#env.session.recordInvalidAppKey(this.#env.pickPackage()),
    ],
    [1, 'sending throws', () => this.#throwInSession()],
  ]
  readonly #env: Environment

  constructor(env: Environment) {
    this.#env = env
  }

  #advance(maxMs: number): void {
    this.#env.clock.advance(this.#env.random.below(maxMs))
  }

  /** Sets the wall clock forward or back, by up to a day. */
  #jumpWallClock(): void {
    const { random, clock } = this.#env
    const dayMs = 24 * 3_600_000
    clock.jumpWallClock(random.below(2 * dayMs) - dayMs)
  }

  #changeGlasses(): void {
    const { random, currentGlasses, session, clock } = this.#env
    const modelName = random.pick(['Mentra Live', 'Simulated Glasses', 'Unknown', null])
    const status = random.pick(['CONNECTED', 'CONNECTED', 'DISCONNECTED'])
    if (!currentGlasses) return
    session.handleGlassesMessage(currentGlasses, { type: 'glasses_connection_state', modelName, status })
    // Glasses must be connected at rest, so that the display can be checked.
    if (status === 'DISCONNECTED')
      clock.after(2_000, () => this.#env.run('reportDevice', { connected: true }))
  }

  #releaseApp(): void {
    const client = this.#env.pickClient()
    if (!client) return
    client.send({ type: 'ownership_release', reason: 'clean_shutdown' })
    this.#env.appSockets.breakSocket(client.packageName)
  }

  /** Throws inside the session. Rare, because it ends the schedule. */
  #throwInSession(): void {
    const { random, currentGlasses, session, clock } = this.#env
    if (!random.chance(0.1)) return
    const restore = this.#env.breakSending()
    if (random.chance(0.5) && currentGlasses)
      session.handleGlassesMessage(currentGlasses, { type: 'connection_init' })
    else clock.advance(20_000)
    restore()
    const { failureCount, endCount, glasses } = this.#env
    if (failureCount === 0) return
    assert.equal(endCount, 1, 'an exception ends the session')
    for (const { closed } of glasses) assert(closed, 'an exception closes the glasses socket')
  }

  #edit(): void {
    const { random } = this.#env
    const permissions = permissionsOf(...PERMISSION_TYPES.filter(() => random.chance(0.6)))
    this.#env.edit(this.#env.pickPackage(), permissions)
  }
}
