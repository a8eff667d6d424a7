import type { Layout, Message, View } from '@glasses-cloud/contract'
import type { Page, Screen } from '../adapter/page.ts'
import { layoutLines, readLayout } from './layout-lines.ts'
import { readPicture } from './pictures/read-picture.ts'
import { fillPlaceholders, hasTime, type PlaceholderValues } from './placeholders.ts'

/**
 * What the phone shows on the glasses, with the phone's rules (glasses-socket.md §2.3.1): each view has one layout; the
 * dashboard is visible only while the head is up and the user has not disabled it; a message without a view, or with an
 * unsupported layout, changes nothing; `durationMs` is left to the cloud. A text that is longer than the screen has
 * several pages.
 */
export class Display {
  readonly #screen: () => Screen | undefined
  readonly #placeholderValues: () => PlaceholderValues
  readonly #views: Record<View, Layout> = {
    main: { layoutType: 'clear_view' },
    dashboard: { layoutType: 'clear_view' },
  }
  #headUp = false
  #pageIndex = 0
  #notice: string | undefined
  #contextualDashboard = true

  /** The picture of the layout that was last drawn as one: decoding takes some milliseconds. */
  #picture: { readonly layout: Layout; readonly page: Page | undefined } | undefined

  /** @param screen returns the screen of the glasses that are worn; undefined if they have none */
  constructor(screen: () => Screen | undefined, placeholderValues: () => PlaceholderValues) {
    this.#screen = screen
    this.#placeholderValues = placeholderValues
  }

  /** Applies a `display_event`. Returns whether the layout of its view changed. */
  apply(message: Message): boolean {
    const view = message.view
    const layout = readLayout(message.layout)
    if ((view !== 'main' && view !== 'dashboard') || !layout) return false
    if (JSON.stringify(this.#views[view]) === JSON.stringify(layout)) return false
    this.#views[view] = layout
    if (view === this.view) {
      this.#notice = undefined
      this.#pageIndex = 0
    }
    return true
  }

  set headUp(up: boolean) {
    this.#headUp = up
    this.#pageIndex = 0
  }

  get headUp(): boolean {
    return this.#headUp
  }

  /** Whether the dashboard is shown while the head is up (phone setting `contextual_dashboard`). */
  set contextualDashboard(isShown: boolean) {
    this.#contextualDashboard = isShown
    this.#pageIndex = 0
  }

  /** A text of the phone itself, shown instead of the visible view until that view changes. */
  get notice(): string | undefined {
    return this.#notice
  }

  set notice(notice: string | undefined) {
    this.#notice = notice
    this.#pageIndex = 0
  }

  /** The visible view. */
  get view(): View {
    return this.#headUp && this.#contextualDashboard ? 'dashboard' : 'main'
  }

  /** The layout of the visible view, as the app sent it, or the notice. */
  get layout(): Layout {
    return this.#notice === undefined
      ? this.#views[this.view]
      : { layoutType: 'text_wall', text: this.#notice }
  }

  /** The layout of a view, visible or not. */
  layoutOf(view: View): Layout {
    return this.#views[view]
  }

  /** Whether the visible text contains the time, and so changes by itself. */
  get showsTime(): boolean {
    return hasTime(JSON.stringify(this.layout))
  }

  /** What the screen shows now: placeholders replaced, lines broken. */
  get page(): Page {
    const { layout } = this
    const screen = this.#screen()
    if (!screen) return { kind: 'blank' }
    const picture = this.#pictureOf(layout, screen)
    if (picture) return picture
    const lines = layoutLines(layout, screen, (text) => fillPlaceholders(text, this.#placeholderValues()))
    if (lines.length === 0) return { kind: 'blank' }
    const total = Math.ceil(lines.length / screen.lines)
    const index = Math.min(this.#pageIndex, total - 1)
    const start = index * screen.lines
    return { kind: 'text', lines: lines.slice(start, start + screen.lines), number: index + 1, total }
  }

  /** The visible lines; none if the display is clear. */
  get lines(): readonly string[] {
    const { page } = this
    if (page.kind === 'text') return page.lines
    return page.kind === 'picture' ? [`[picture, ${page.picture.width} × ${page.picture.height}]`] : []
  }

  /** The visible lines joined with line breaks; empty if the display is clear. */
  get text(): string {
    return this.lines.join('\n')
  }

  /** Turns to another page of a long text. @param by pages forward, or backward if negative; returns whether it turned */
  turn(by: number): boolean {
    const { page } = this
    if (page.kind !== 'text') return false
    const number = Math.min(page.total, Math.max(1, page.number + by))
    this.#pageIndex = number - 1
    return number !== page.number
  }

  #pictureOf(layout: Layout, screen: Screen): Page | undefined {
    if (layout.layoutType !== 'bitmap_view' || !screen.picture) return undefined
    if (this.#picture?.layout !== layout) {
      const picture = readPicture(layout.data, screen.picture)
      this.#picture = { layout, page: picture && { kind: 'picture', picture } }
    }
    return this.#picture.page
  }
}
