import type { Layout, Message, View } from '@glasses-cloud/contract'
import { type DisplaySize, drawLayout, readLayout } from './draw-layout.ts'
import { fillPlaceholders, type PlaceholderValues } from './placeholders.ts'

/** Forty-four columns in seven lines: about what a phone draws on a 640 by 480 lens. */
export const DEFAULT_DISPLAY_SIZE: DisplaySize = { width: 44, height: 7 }

/**
 * What the wearer sees, by the phone's rules (glasses socket protocol, 2.3.1): one content a view is kept; the
 * dashboard shows only while the head is up and the wearer has not switched it off; a message without a view, or with a
 * layout phones do not draw, changes nothing; `durationMs` is the cloud's to keep.
 */
export class Display {
  readonly size: DisplaySize
  readonly #placeholderValues: () => PlaceholderValues
  readonly #views: Record<View, Layout> = {
    main: { layoutType: 'clear_view' },
    dashboard: { layoutType: 'clear_view' },
  }
  #headUp = false
  /** Whether lifting the head shows the dashboard (the phone's setting `contextual_dashboard`). */
  contextualDashboard = true

  /** @param facts what placeholders are filled with */
  constructor(size: DisplaySize, facts: () => PlaceholderValues) {
    this.size = size
    this.#placeholderValues = facts
  }

  /** Takes in a `display_event`. Whether it changed what its view holds. */
  apply(message: Message): boolean {
    const view = message.view
    const layout = readLayout(message.layout)
    if ((view !== 'main' && view !== 'dashboard') || !layout) return false
    if (JSON.stringify(this.#views[view]) === JSON.stringify(layout)) return false
    this.#views[view] = layout
    return true
  }

  set headUp(up: boolean) {
    this.#headUp = up
  }

  get headUp(): boolean {
    return this.#headUp
  }

  /** The view the wearer sees. */
  get view(): View {
    return this.#headUp && this.contextualDashboard ? 'dashboard' : 'main'
  }

  /** The content of the view the wearer sees, as the app sent it. */
  get layout(): Layout {
    return this.#views[this.view]
  }

  /** What a view holds, seen or not. */
  layoutOf(view: View): Layout {
    return this.#views[view]
  }

  /** What the wearer sees, line by line: placeholders filled, wrapped, cut at the lower edge. */
  get lines(): string[] {
    return drawLayout(this.layout, this.size, (text) => fillPlaceholders(text, this.#placeholderValues()))
  }

  /** The lines as one text; empty when the lens is. */
  get text(): string {
    return this.lines.join('\n')
  }
}
