import assert from 'node:assert/strict'
import { BLANK_LAYOUT, type Message } from '@glasses-cloud/contract'
import { packages, systemPackage } from '../cast.ts'
import type { World } from '../world.ts'
import type { Area, Step } from './area.ts'

type Mode = 'main' | 'expanded'

/** The dashboard: contents of apps, in the mode and between the corners of the system dashboard. */
export class Dashboard implements Area {
  readonly steps: readonly Step[] = [
    [5, 'an app writes on the dashboard', () => this.#write()],
    [2, 'the head goes up', () => this.#headUp()],
    [2, 'the mode of the dashboard is changed', () => this.#change()],
    [2, 'a corner of the dashboard is filled', () => this.#fill()],
  ]
  readonly #world: World
  /** What apps have there, by mode and package. */
  readonly #contents = { main: new Map<string, string>(), expanded: new Map<string, string>() }
  #corner = ''
  #mode: Mode = 'main'
  /** The mode each app was told last. */
  readonly #told = new Map<string, unknown>()
  #refused = 0

  constructor(world: World) {
    this.#world = world
  }

  appHears(packageName: string, { type, mode, code }: Message): void {
    if (type === 'dashboard_mode_changed') this.#told.set(packageName, mode)
    if (code === 'PERMISSION_DENIED') this.#refused += 1
  }

  appLost(packageName: string): void {
    this.#contents.main.delete(packageName)
    this.#contents.expanded.delete(packageName)
    if (packageName !== systemPackage) return
    this.#mode = 'main'
    this.#corner = ''
  }

  checkAlways(): void {
    for (const packageName of packages) {
      if (this.#world.appSockets.hearingSince(packageName) === undefined) continue
      assert.equal(this.#told.get(packageName), this.#mode, `${packageName} knows the mode of the dashboard`)
    }
  }

  checkAtRest(): void {
    const shown = this.#world.currentGlasses
      ?.messagesOfType('display_event')
      .filter(({ view }) => view === 'dashboard')
      .at(-1)?.layout
    const contents = [...this.#contents[this.#mode].values()]
    if (contents.length === 0 && this.#corner === '') {
      if (shown) assert.deepEqual(shown, BLANK_LAYOUT, 'with nothing to show the dashboard is blank')
      return
    }
    const text = JSON.stringify(shown)
    const found = text.match(/content \d+/g) ?? []
    if (contents.length === 0) assert.deepEqual(found, [], 'what is gone is not shown')
    else assert(found.length === 1 && contents.includes(found[0] ?? ''), 'the content of one app is shown')
    assert(text.includes(this.#corner), 'the corner is shown as it was filled last')
  }

  #write(): void {
    const { random } = this.#world
    const speaker = this.#world.speaker()
    if (!speaker) return
    const content = random.chance(0.8) ? `content ${this.#world.serial()}` : ''
    const modes = random.pick<Mode[]>([['main'], ['expanded'], ['main', 'expanded']])
    for (const mode of modes) {
      this.#contents[mode].delete(speaker.packageName)
      if (content) this.#contents[mode].set(speaker.packageName, content)
    }
    speaker.say({ type: 'dashboard_content_update', content, modes })
  }

  #headUp(): void {
    const { currentGlasses, session } = this.#world
    if (currentGlasses)
      session.handleGlassesMessage(currentGlasses, { type: 'head_position', position: 'up' })
  }

  #change(): void {
    const mode = this.#world.random.pick(['main', 'expanded'] as const)
    this.#asSystem({ type: 'dashboard_mode_change', mode }, () => {
      this.#mode = mode
    })
  }

  #fill(): void {
    const content = this.#world.random.pick(['', `corner ${this.#world.serial()}`])
    this.#asSystem({ type: 'dashboard_system_update', section: 'topLeft', content }, () => {
      this.#corner = content
    })
  }

  /** The system dashboard may, and nobody else. */
  #asSystem(
    message: Parameters<NonNullable<ReturnType<World['speaker']>>['say']>[0],
    done: () => void,
  ): void {
    const speaker = this.#world.speaker()
    if (!speaker) return
    const mayChange = speaker.packageName === systemPackage
    if (mayChange) done()
    this.#refused = 0
    speaker.say(message)
    assert.equal(this.#refused, mayChange ? 0 : 1, 'the system dashboard alone may')
  }
}
