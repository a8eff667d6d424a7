import type { PermissionType } from '@glasses-cloud/contract'
import { permissionsOf } from '../cast.ts'
import type { World } from '../world.ts'
import type { Area, Step } from './area.ts'

const permissionTypes: readonly PermissionType[] = ['MICROPHONE', 'LOCATION', 'CAMERA', 'CALENDAR']

/** Time passes, and glasses and apps come, go, and change. */
export class Life implements Area {
  readonly steps: readonly Step[] = [
    [4, 'time passes', () => this.#pass(1_000)],
    [3, 'much time passes', () => this.#pass(20_000)],
    [1, 'a long time passes', () => this.#pass(70_000)],
    [3, 'glasses connect', () => this.#world.connectGlasses()],
    [2, 'glasses break off', () => this.#world.breakGlasses()],
    [1, 'the glasses change', () => this.#changeGlasses()],
    [5, 'an app is started', () => this.#world.start(this.#world.somePackage())],
    [3, 'an app is stopped', () => this.#world.stop(this.#world.somePackage())],
    [3, 'an app breaks off', () => this.#world.appSockets.breakOff(this.#world.somePackage())],
    [2, 'an app connects by itself', () => this.#world.appSockets.connect(this.#world.somePackage())],
    [1, 'an app releases its socket', () => this.#releaseApp()],
    [4, 'an app renews its list', () => this.#world.subscribe(this.#world.somePackage())],
    [1, 'an app is edited', () => this.#edit()],
    [1, 'a wrong key comes', () => this.#world.session.recordInvalidAppKey(this.#world.somePackage())],
  ]
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  #pass(atMost: number): void {
    this.#world.clock.advance(this.#world.random.below(atMost))
  }

  #changeGlasses(): void {
    const { random, currentGlasses, session, clock } = this.#world
    const modelName = random.pick(['Mentra Live', 'Simulated Glasses', 'Unknown', null])
    const status = random.pick(['CONNECTED', 'CONNECTED', 'DISCONNECTED'])
    if (!currentGlasses) return
    session.handleGlassesMessage(currentGlasses, { type: 'glasses_connection_state', modelName, status })
    // At rest the lens must be there to be looked at.
    if (status === 'DISCONNECTED') clock.after(2_000, () => session.glassesDevice.report({ connected: true }))
  }

  #releaseApp(): void {
    const speaker = this.#world.speaker()
    if (!speaker) return
    speaker.say({ type: 'ownership_release', reason: 'clean_shutdown' })
    this.#world.appSockets.breakOff(speaker.packageName)
  }

  #edit(): void {
    const { random } = this.#world
    const permissions = permissionsOf(...permissionTypes.filter(() => random.chance(0.6)))
    this.#world.edit(this.#world.somePackage(), permissions)
  }
}
