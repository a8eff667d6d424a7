import type { Layout, Message, View } from '@glasses-cloud/contract'
import type { Gesture, Page, Screen } from '../adapter/glasses-adapter.ts'
import { PictureError } from '../pictures/bmp.ts'
import { layoutPages } from './layout-pages.ts'
import { PageTurner } from './page-turner.ts'

/** Values for the placeholders in texts. */
export interface PlaceholderValues {
  readonly now: Date
  /** Percent; `undefined` while unknown. */
  readonly battery: number | undefined
  readonly connected: boolean
}

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** Replaces placeholders such as `$TIME24$`, as the phone does before it draws (glasses-socket.md §2.3.1). */
function fillPlaceholders(text: string, values: PlaceholderValues): string {
  if (!text.includes('$')) return text
  const { now, battery, connected } = values
  const date = `${now.getMonth() + 1}/${twoDigits(now.getDate())}`
  const time12 = `${now.getHours() % 12 || 12}:${twoDigits(now.getMinutes())}`
  const replacements: Record<string, string> = {
    $no_datetime$: `${date}, ${time12}`,
    $DATE$: date,
    $TIME12$: time12,
    $TIME24$: `${twoDigits(now.getHours())}:${twoDigits(now.getMinutes())}`,
    $GBATT$: battery === undefined ? '' : `${battery}%`,
    $CONNECTION_STATUS$: connected ? 'Connected' : 'Disconnected',
  }
  return text.replace(/\$[A-Za-z_0-9]+\$/g, (placeholder) => replacements[placeholder] ?? placeholder)
}

/** Whether a text of a layout contains a placeholder for the time, whose value changes every minute. */
function hasTime(layout: Layout): boolean {
  return textsOf(layout).some((text) => /\$(?:no_datetime|TIME12|TIME24|DATE)\$/.test(text))
}

/** Whether a text of a layout may contain a placeholder. */
function hasPlaceholder(layout: Layout): boolean {
  return textsOf(layout).some((text) => text.includes('$'))
}

function textsOf(layout: Layout): string[] {
  if (layout.layoutType === 'bitmap_view') return []
  return Object.values(layout).filter((value) => typeof value === 'string')
}

/** The layouts that phones draw, each with its required text fields; phones ignore other layouts. */
const TEXT_FIELDS: Record<string, readonly string[]> = {
  text_wall: ['text'],
  double_text_wall: ['topText', 'bottomText'],
  reference_card: ['title', 'text'],
  bitmap_view: ['data'],
  clear_view: [],
}

/** Parses a layout as phones do; `undefined` for an unsupported layout or a missing text field. */
function readLayout(value: unknown): Layout | undefined {
  if (typeof value !== 'object' || value === null || !('layoutType' in value)) return undefined
  if (typeof value.layoutType !== 'string' || !Object.hasOwn(TEXT_FIELDS, value.layoutType)) return undefined
  const fields = value as Record<string, unknown>
  const isComplete = TEXT_FIELDS[value.layoutType]?.every((name) => typeof fields[name] === 'string')
  return isComplete ? (value as Layout) : undefined
}

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
    const fill = (text: string) => fillPlaceholders(text, this.#placeholderValues())
    try {
      return layoutPages(layout, screen, fill) ?? []
    } catch (error) {
      if (!(error instanceof PictureError)) throw error
      return layoutPages({ layoutType: 'text_wall', text: error.message }, screen) ?? []
    }
  }
}

function isSameScreen(a: Screen, b: Screen): boolean {
  return a.width === b.width && a.lines === b.lines && a.measure === b.measure && a.picture === b.picture
}

/** Expected content of a display: a substring, a pattern or a predicate. */
export type DisplayMatch = string | RegExp | ((display: Display) => boolean)

/** Whether the display matches. Line breaks count as spaces for substrings and patterns. */
export function displayMatches(display: Display, match: DisplayMatch): boolean {
  if (typeof match === 'function') return match(display)
  const unwrapped = display.lines.join(' ').replace(/\s+/g, ' ').trim()
  return typeof match === 'string' ? unwrapped.includes(match.normalize('NFC')) : unwrapped.search(match) >= 0
}
