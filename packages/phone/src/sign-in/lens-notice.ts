import type { AdapterEvents, GlassesAdapter, Page } from '../adapter/glasses-adapter.ts'
import { layoutPages } from '../pages/layout-pages.ts'

/** Texts of the phone itself on glasses that are not worn by a phone yet. */
export class LensNotice {
  readonly #adapter: GlassesAdapter
  readonly #onTap: () => void
  #page: Page = { kind: 'blank' }
  #isOpen = false

  constructor(adapter: GlassesAdapter, onTap: () => void) {
    this.#adapter = adapter
    this.#onTap = onTap
  }

  /** Connects the glasses. @throws {Error} if they cannot be reached, with a sentence for the wearer */
  async open(): Promise<void> {
    if (this.#isOpen) return
    await this.#adapter.connect(this.#events)
    this.#isOpen = true
  }

  /** Leaves the glasses to a phone. */
  async close(): Promise<void> {
    if (this.#isOpen) await this.#adapter.disconnect()
    this.#isOpen = false
  }

  show(text: string): void {
    const { screen } = this.#adapter
    if (!screen) return
    const [page] = layoutPages({ layoutType: 'text_wall', text }, screen) ?? []
    this.#page = page ?? { kind: 'blank' }
    void this.#adapter.show(this.#page)
  }

  readonly #events: AdapterEvents = {
    link: ({ state }) => {
      if (state === 'connected') void this.#adapter.show(this.#page)
    },
    gesture: ({ name }) => {
      if (name === 'single_tap') this.#onTap()
    },
    battery: () => {},
    head: () => {},
    worn: () => {},
    audio: () => {},
    problem: () => {},
  }
}
