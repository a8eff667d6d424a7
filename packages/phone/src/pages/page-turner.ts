import type { View } from '@glasses-cloud/contract'
import type { Gesture, Page } from '../adapter/glasses-adapter.ts'

interface ViewPages {
  readonly pages: readonly Page[]
  /** Index of the visible page. */
  readonly index: number
}

const BLANK: Page = { kind: 'blank' }

/**
 * Selects the page that the lens shows: of the visible view, the page to which the wearer has turned. Each view keeps
 * its place while the other one is visible.
 */
export class PageTurner {
  /** The visible view. */
  view: View = 'main'
  readonly #views: Record<View, ViewPages> = {
    main: { pages: [BLANK], index: 0 },
    dashboard: { pages: [BLANK], index: 0 },
  }

  /** Replaces the pages of a view and returns to the first one; identical pages change nothing. */
  setPages(view: View, pages: readonly Page[]): void {
    const old = this.#views[view].pages
    if (old.length === pages.length && old.every((page, index) => isSamePage(page, pages[index]))) return
    this.#views[view] = { pages, index: 0 }
  }

  /** Replaces the pages of a text whose time has changed, and stays where the wearer has turned. */
  updatePages(view: View, pages: readonly Page[]): void {
    this.#views[view] = { pages, index: Math.min(this.#views[view].index, pages.length - 1) }
  }

  /** The page that the lens is to show. */
  get page(): Page {
    const { pages, index } = this.#views[this.view]
    return pages[index] ?? BLANK
  }

  /** Turns to the next page. Returns whether there is one. */
  nextPage(): boolean {
    return this.#turn(1)
  }

  /** Turns to the previous page. Returns whether there is one. */
  previousPage(): boolean {
    return this.#turn(-1)
  }

  /**
   * Turns forward by a single tap on the right temple, back by one on the left. A tap without a side turns forward, and
   * from the last page to the first. Returns whether the page changed.
   */
  turnBy({ name, side }: Gesture): boolean {
    if (name !== 'single_tap') return false
    if (side === 'left') return this.previousPage()
    return this.nextPage() || (side === undefined && this.#turnTo(0))
  }

  #turn(step: 1 | -1): boolean {
    return this.#turnTo(this.#views[this.view].index + step)
  }

  #turnTo(index: number): boolean {
    const { pages, index: present } = this.#views[this.view]
    if (index === present || pages[index] === undefined) return false
    this.#views[this.view] = { pages, index }
    return true
  }
}

/** Whether two pages show the same on the lens, with the same number of pages. */
export function isSamePage(page: Page, other: Page | undefined): boolean {
  if (page.kind === 'text') {
    return (
      other?.kind === 'text' &&
      page.number === other.number &&
      page.total === other.total &&
      isSameList(page.lines, other.lines)
    )
  }
  if (page.kind === 'picture') {
    return (
      other?.kind === 'picture' &&
      page.picture.width === other.picture.width &&
      isSameList(page.picture.pixels, other.picture.pixels)
    )
  }
  return other?.kind === 'blank'
}

function isSameList<Item>(list: ArrayLike<Item>, other: ArrayLike<Item>): boolean {
  if (list.length !== other.length) return false
  for (let index = 0; index < list.length; index++) if (list[index] !== other[index]) return false
  return true
}
