import { EventEmitter, once } from 'node:events'
import type { AudioFormat } from '@glasses-cloud/contract'
import type { AdapterEvents, GlassesAdapter, Link, Page, Screen } from '../../src/adapter/glasses-adapter.ts'

/** Glasses that record what the phone asks of them, and do what a test says. */
export class RecordingGlasses implements GlassesAdapter {
  readonly model = 'Even Realities G1'
  /** 20 columns, 3 lines. */
  readonly screen: Screen = { width: 20, lines: 3, measure: (text) => text.length }
  readonly audioFormat: AudioFormat | undefined
  readonly pages: Page[] = []
  readonly microphone: boolean[] = []
  /** Rejects `connect`. */
  problem: Error | undefined
  isLinked = false
  readonly #changes = new EventEmitter<{ page: [] }>()
  #events: AdapterEvents | undefined

  constructor(audioFormat?: AudioFormat) {
    this.audioFormat = audioFormat
  }

  get events(): AdapterEvents {
    if (!this.#events) throw new Error('The glasses are not connected')
    return this.#events
  }

  /** The lines of the page shown last. */
  get lines(): readonly string[] {
    const page = this.pages.at(-1)
    return page?.kind === 'text' ? page.lines : []
  }

  async connect(events: AdapterEvents): Promise<void> {
    if (this.problem) throw this.problem
    this.#events = events
    this.isLinked = true
    this.link('connected')
  }

  async disconnect(): Promise<void> {
    this.isLinked = false
    this.#events = undefined
  }

  async show(page: Page): Promise<boolean> {
    this.pages.push(page)
    this.#changes.emit('page')
    return true
  }

  setMicrophone(isOn: boolean): void {
    this.microphone.push(isOn)
  }

  link(state: Link['state']): void {
    this.events.link({ state, parts: [] })
  }

  /** Waits until a page fits, including the present one. */
  async waitForLines(fits: (text: string) => boolean, timeoutMs = 30_000): Promise<void> {
    while (!fits(this.lines.join('\n')))
      await once(this.#changes, 'page', { signal: AbortSignal.timeout(timeoutMs) })
  }
}
