import type { Layout, Message, View } from '@glasses-cloud/contract'
import type { Gesture } from '../adapter/glasses-adapter.ts'
import type { Page, Screen } from '../adapter/page.ts'
import { PictureError } from '../pictures/bmp.ts'
import { cleanText } from './clean-text.ts'
import { layoutPages } from './layout-pages.ts'
import { PageTurner } from './page-turner.ts'
import { fillPlaceholders, hasPlaceholder, hasTime, type PlaceholderValues } from './placeholders.ts'
import { readLayout } from './read-layout.ts'

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
  readonly #turner = new PageTurner()
  #headUp = false
  #notice: Extract<Layout, { layoutType: 'text_wall' }> | undefined
  #contextualDashboard = true

  /** The layout whose pages each view has. */
  readonly #laidOut: Partial<Record<View, Layout>> = {}
  /** The pages that were made last: that takes some milliseconds for a long text or a picture. */
  #made: { readonly layout: Layout; readonly screen: Screen; readonly pages: readonly Page[] } | undefined

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
    }
    return true
  }

  set headUp(up: boolean) {
    this.#headUp = up
  }

  get headUp(): boolean {
    return this.#headUp
  }

  /** Whether the dashboard is shown while the head is up (phone setting `contextual_dashboard`). */
  set contextualDashboard(isShown: boolean) {
    this.#contextualDashboard = isShown
  }

  /** A text of the phone itself, shown instead of the visible view until that view changes. */
  get notice(): string | undefined {
    return this.#notice?.text
  }

  set notice(notice: string | undefined) {
    this.#notice = notice === undefined ? undefined : { layoutType: 'text_wall', text: notice }
  }

  /** The visible view. */
  get view(): View {
    return this.#headUp && this.#contextualDashboard ? 'dashboard' : 'main'
  }

  /** The layout of the visible view, as the app sent it, or the notice. */
  get layout(): Layout {
    return this.#notice ?? this.#views[this.view]
  }

  /** The layout of a view, visible or not. */
  layoutOf(view: View): Layout {
    return this.#views[view]
  }

  /** Whether the visible text contains the time, and so changes by itself. */
  get showsTime(): boolean {
    return hasTime(this.layout)
  }

  /** What the screen shows now: placeholders replaced, lines broken. */
  get page(): Page {
    const screen = this.#screen()
    if (!screen) return { kind: 'blank' }
    const { view, layout } = this
    const pages = this.#pagesOf(layout, screen)
    this.#turner.view = view
    if (this.#laidOut[view] === layout) this.#turner.updatePages(view, pages)
    else this.#turner.setPages(view, pages)
    this.#laidOut[view] = layout
    return this.#turner.page
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

  /** Turns to the next page of a long text. Returns whether there is one. */
  nextPage(): boolean {
    return this.page.kind === 'text' && this.#turner.nextPage()
  }

  /** Turns to the previous page of a long text. Returns whether there is one. */
  previousPage(): boolean {
    return this.page.kind === 'text' && this.#turner.previousPage()
  }

  /** Turns by a tap on a temple. Returns whether the page changed. */
  turnBy(gesture: Gesture): boolean {
    return this.page.kind === 'text' && this.#turner.turnBy(gesture)
  }

  #pagesOf(layout: Layout, screen: Screen): readonly Page[] {
    const made = this.#made
    const isMade = made?.layout === layout && isSameScreen(made.screen, screen) && !hasPlaceholder(layout)
    if (made && isMade) return made.pages
    const pages = this.#layOut(layout, screen)
    this.#made = { layout, screen, pages }
    return pages
  }

  /** A picture that cannot be read is replaced by the reason. */
  #layOut(layout: Layout, screen: Screen): readonly Page[] {
    const clean = (text: string) => cleanText(fillPlaceholders(text, this.#placeholderValues()))
    try {
      return layoutPages(layout, screen, clean) ?? []
    } catch (error) {
      if (!(error instanceof PictureError)) throw error
      return layoutPages({ layoutType: 'text_wall', text: error.message }, screen, clean) ?? []
    }
  }
}

function isSameScreen(a: Screen, b: Screen): boolean {
  return a.width === b.width && a.lines === b.lines && a.measure === b.measure && a.picture === b.picture
}
