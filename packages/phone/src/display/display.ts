import type { Layout, Message, View } from '@glasses-cloud/contract'
import { type DisplaySize, drawLayout, readLayout } from './draw-layout.ts'
import { fillPlaceholders, type PlaceholderValues } from './placeholders.ts'

/** 44 columns and 7 lines, roughly what a phone draws on a 640 × 480 display. */
export const DEFAULT_DISPLAY_SIZE: DisplaySize = { width: 44, height: 7 }

/**
 * Simulated display of the glasses, with the phone's rules (glasses-socket.md §2.3.1): each view has one layout; the
 * dashboard is visible only while the head is up and the user has not disabled it; a message without a view, or with an
 * unsupported layout, changes nothing; `durationMs` is left to the cloud.
 */
export class Display {
  #size: DisplaySize
  readonly #placeholderValues: () => PlaceholderValues
  readonly #views: Record<View, Layout> = {
    main: { layoutType: 'clear_view' },
    dashboard: { layoutType: 'clear_view' },
  }
  #headUp = false
  /** Whether the dashboard is shown while the head is up (phone setting `contextual_dashboard`). */
  contextualDashboard = true
  /** A text of the phone itself, shown instead of the visible view until that view changes. */
  notice: string | undefined

  constructor(size: DisplaySize, placeholderValues: () => PlaceholderValues) {
    this.#size = size
    this.#placeholderValues = placeholderValues
  }

  /** Columns and lines. */
  get size(): DisplaySize {
    return this.#size
  }

  /** Continues on glasses with a display of another size. */
  resize(size: DisplaySize): void {
    this.#size = size
  }

  /** Applies a `display_event`. Returns whether the layout of its view changed. */
  apply(message: Message): boolean {
    const view = message.view
    const layout = readLayout(message.layout)
    if ((view !== 'main' && view !== 'dashboard') || !layout) return false
    if (JSON.stringify(this.#views[view]) === JSON.stringify(layout)) return false
    this.#views[view] = layout
    if (view === this.view) this.notice = undefined
    return true
  }

  set headUp(up: boolean) {
    this.#headUp = up
  }

  get headUp(): boolean {
    return this.#headUp
  }

  /** The visible view. */
  get view(): View {
    return this.#headUp && this.contextualDashboard ? 'dashboard' : 'main'
  }

  /** The layout of the visible view, as the app sent it, or the notice. */
  get layout(): Layout {
    return this.notice === undefined ? this.#views[this.view] : { layoutType: 'text_wall', text: this.notice }
  }

  /** The layout of a view, visible or not. */
  layoutOf(view: View): Layout {
    return this.#views[view]
  }

  /** The visible lines: placeholders replaced, wrapped, cut at the bottom edge. */
  get lines(): string[] {
    return drawLayout(this.layout, this.#size, (text) => fillPlaceholders(text, this.#placeholderValues()))
  }

  /** The visible lines joined with line breaks; empty if the display is clear. */
  get text(): string {
    return this.lines.join('\n')
  }
}
