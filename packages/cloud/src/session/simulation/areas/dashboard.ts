import assert from 'node:assert/strict'
import { BLANK_LAYOUT, type Message } from '@glasses-cloud/contract'
import type { Environment } from '../environment.ts'
import { PACKAGES, SYSTEM_PACKAGE } from '../fixtures.ts'
import type { Area, Step } from './area.ts'

type Mode = 'main' | 'expanded'

/** Dashboard contents of apps, and the mode and the corner sections set by the system dashboard. */
export class Dashboard implements Area {
  readonly steps: readonly Step[] = [
    [5, 'an app updates its dashboard content', () => this.#updateContent()],
    [2, 'the user raises their head', () => this.#raiseHead()],
    [2, 'the dashboard mode changes', () => this.#changeMode()],
    [2, 'a dashboard section is updated', () => this.#updateSection()],
  ]
  readonly #env: Environment
  /** Content by mode and package name. */
  readonly #contents = { main: new Map<string, string>(), expanded: new Map<string, string>() }
  #section = ''
  #mode: Mode = 'main'
  /** The last mode that each app received. */
  readonly #receivedModes = new Map<string, unknown>()
  #rejections = 0

  constructor(env: Environment) {
    this.#env = env
  }

  onAppMessage(packageName: string, { type, mode, code }: Message): void {
    if (type === 'dashboard_mode_changed') this.#receivedModes.set(packageName, mode)
    if (code === 'PERMISSION_DENIED') this.#rejections += 1
  }

  onAppLost(packageName: string): void {
    this.#contents.main.delete(packageName)
    this.#contents.expanded.delete(packageName)
    if (packageName !== SYSTEM_PACKAGE) return
    this.#mode = 'main'
    this.#section = ''
  }

  checkAlways(): void {
    for (const packageName of PACKAGES) {
      if (this.#env.appSockets.acknowledgedSince(packageName) === undefined) continue
      assert.equal(
        this.#receivedModes.get(packageName),
        this.#mode,
        `${packageName} knows the dashboard mode`,
      )
    }
  }

  checkAtRest(): void {
    const shown = this.#env.currentGlasses
      ?.messagesOfType('display_event')
      .filter(({ view }) => view === 'dashboard')
      .at(-1)?.layout
    const contents = [...this.#contents[this.#mode].values()]
    if (contents.length === 0 && this.#section === '') {
      if (shown) assert.deepEqual(shown, BLANK_LAYOUT, 'a dashboard without content is blank')
      return
    }
    const text = JSON.stringify(shown)
    const found = text.match(/content \d+/g) ?? []
    if (contents.length === 0) assert.deepEqual(found, [], 'removed content is not shown')
    else
      assert(
        found.length === 1 && contents.includes(found[0] ?? ''),
        'the content of exactly one app is shown',
      )
    assert(text.includes(this.#section), 'the latest section content is shown')
  }

  #updateContent(): void {
    const { random } = this.#env
    const client = this.#env.pickClient()
    if (!client) return
    const content = random.chance(0.8) ? `content ${this.#env.nextSerial()}` : ''
    const modes = random.pick<Mode[]>([['main'], ['expanded'], ['main', 'expanded']])
    for (const mode of modes) {
      this.#contents[mode].delete(client.packageName)
      if (content) this.#contents[mode].set(client.packageName, content)
    }
    client.send({ type: 'dashboard_content_update', content, modes })
  }

  #raiseHead(): void {
    const { currentGlasses, session } = this.#env
    if (currentGlasses)
      session.handleGlassesMessage(currentGlasses, { type: 'head_position', position: 'up' })
  }

  #changeMode(): void {
    const mode = this.#env.random.pick(['main', 'expanded'] as const)
    this.#asSystem({ type: 'dashboard_mode_change', mode }, () => {
      this.#mode = mode
    })
  }

  #updateSection(): void {
    const content = this.#env.random.pick(['', `section ${this.#env.nextSerial()}`])
    this.#asSystem({ type: 'dashboard_system_update', section: 'topLeft', content }, () => {
      this.#section = content
    })
  }

  /** Only the system dashboard may send the message. */
  #asSystem(
    message: Parameters<NonNullable<ReturnType<Environment['pickClient']>>['send']>[0],
    onAccepted: () => void,
  ): void {
    const client = this.#env.pickClient()
    if (!client) return
    const mayChange = client.packageName === SYSTEM_PACKAGE
    if (mayChange) onAccepted()
    this.#rejections = 0
    client.send(message)
    assert.equal(this.#rejections, mayChange ? 0 : 1, 'only the system dashboard may change the dashboard')
  }
}
