import assert from 'node:assert/strict'
import { BLANK_LAYOUT } from '@glasses-cloud/contract'
import { systemPackage } from '../cast.ts'
import type { World } from '../world.ts'
import type { Area, Step } from './area.ts'

/** What apps show on the main view of the lens. */
export class Lens implements Area {
  readonly steps: readonly Step[] = [
    [4, 'an app shows something', () => this.show(this.#world.somePackage())],
    [2, 'an app shows something for a while', () => this.#showBriefly()],
  ]
  readonly #world: World
  /** The last text each app asked to show. */
  readonly #texts = new Map<string, string>()

  constructor(world: World) {
    this.#world = world
  }

  /** A running app shows a text; the dashboard has a view of its own. */
  show(packageName = this.#world.somePackage(), durationMs?: number): void {
    const speaker = packageName === systemPackage ? undefined : this.#world.speaker(packageName)
    if (!speaker) return
    const text = `${packageName} ${this.#world.serial()}`
    if (durationMs === undefined) this.#texts.set(packageName, text)
    speaker.say({
      type: 'display_event',
      view: 'main',
      layout: { layoutType: 'text_wall', text },
      durationMs,
    })
  }

  comeToRest(): void {
    for (const packageName of this.#world.activeApps) this.show(packageName)
  }

  /** The main app's last picture is there; without one, the background app's; never one of an app that is gone. */
  checkAtRest(): void {
    const { currentGlasses, activeApps } = this.#world
    const apps = activeApps.filter((packageName) => packageName !== systemPackage)
    const main = apps.find((packageName) => packageName.includes('standard')) ?? apps[0]
    const shown = currentGlasses
      ?.messagesOfType('display_event')
      .filter(({ view }) => view === 'main')
      .at(-1)
    if (main === undefined) {
      if (shown) assert.deepEqual(shown.layout, BLANK_LAYOUT, 'without apps the lens is blank')
      return
    }
    assert.equal(shown?.packageName, main, 'the lens belongs to the main app')
    const layout = { layoutType: 'text_wall', text: this.#texts.get(main) }
    assert.deepEqual(shown?.layout, layout, 'and shows its last picture')
  }

  #showBriefly(): void {
    this.show(this.#world.somePackage(), 1 + this.#world.random.below(5_000))
  }
}
