import assert from 'node:assert/strict'
import { BLANK_LAYOUT } from '@glasses-cloud/contract'
import type { Environment } from '../environment.ts'
import { SYSTEM_PACKAGE } from '../fixtures.ts'
import type { Area, Step } from './area.ts'

/** Contents of apps on the main view. */
export class MainView implements Area {
  readonly steps: readonly Step[] = [
    [4, 'an app shows a text', () => this.show(this.#env.pickPackage())],
    [2, 'an app shows a text with a duration', () => this.#showBriefly()],
  ]
  readonly #env: Environment
  /** The latest text of each app without a duration. */
  readonly #texts = new Map<string, string>()

  constructor(env: Environment) {
    this.#env = env
  }

  show(packageName = this.#env.pickPackage(), durationMs?: number): void {
    const client = packageName === SYSTEM_PACKAGE ? undefined : this.#env.pickClient(packageName)
    if (!client) return
    const text = `${packageName} ${this.#env.nextSerial()}`
    if (durationMs === undefined) this.#texts.set(packageName, text)
    client.send({
      type: 'display_event',
      view: 'main',
      layout: { layoutType: 'text_wall', text },
      durationMs,
    })
  }

  prepareRest(): void {
    for (const packageName of this.#env.activeApps) this.show(packageName)
  }

  /** The main view shows the latest text of the standard app, otherwise of the background app. */
  checkAtRest(): void {
    const { currentGlasses, activeApps } = this.#env
    const apps = activeApps.filter((packageName) => packageName !== SYSTEM_PACKAGE)
    const main = apps.find((packageName) => packageName.includes('standard')) ?? apps[0]
    const shown = currentGlasses
      ?.messagesOfType('display_event')
      .filter(({ view }) => view === 'main')
      .at(-1)
    if (main === undefined) {
      if (shown) assert.deepEqual(shown.layout, BLANK_LAYOUT, 'the main view without apps is blank')
      return
    }
    assert.equal(shown?.packageName, main, 'the main view shows the main app')
    const layout = { layoutType: 'text_wall', text: this.#texts.get(main) }
    assert.deepEqual(shown?.layout, layout, 'the main view shows the latest text')
  }

  #showBriefly(): void {
    this.show(this.#env.pickPackage(), 1 + this.#env.random.below(5_000))
  }
}
