import type { Page } from '../adapter/glasses-adapter.ts'
import type { EvenBridge, PageContainers } from './bridge.ts'
import {
  HALVES,
  type Half,
  halvesOf,
  pictureContainers,
  TILES,
  textContainers,
  textUpdate,
  tilesOf,
  tileUpdate,
} from './lens.ts'

/** What the lens shows, as far as it was confirmed. */
type Drawn =
  | { readonly kind: 'text'; readonly content: Record<Half, string> }
  /** Undefined: the tile is dark. */
  | { readonly kind: 'picture'; readonly tiles: (Uint8Array | undefined)[] }

interface Waiting {
  readonly page: Page
  readonly finish: (isDrawn: boolean) => void
}

/** Draws pages with as few calls as possible. While one is drawn only the newest waits. */
export class PageDrawer {
  readonly #bridge: EvenBridge
  #drawn: Drawn | undefined
  /** Counts the calls of `forget`, which also concern a page that is being drawn. */
  #forgotten = 0
  #hasPage = false
  #isDrawing = false
  #waiting: Waiting | undefined

  constructor(bridge: EvenBridge) {
    this.#bridge = bridge
  }

  /** Makes the next page be drawn from scratch: the lens may show something else. */
  forget(): void {
    this.#forgotten += 1
    this.#drawn = undefined
  }

  /** Draws a page. Returns whether it is on the lens; false if a newer one took its place, or the glasses refused it. */
  draw(page: Page): Promise<boolean> {
    this.#waiting?.finish(false)
    return new Promise((finish) => {
      this.#waiting = { page, finish }
      if (!this.#isDrawing) void this.#drawWaiting()
    })
  }

  async #drawWaiting(): Promise<void> {
    this.#isDrawing = true
    for (let next = this.#waiting; next; next = this.#waiting) {
      this.#waiting = undefined
      next.finish(await this.#attempt(next.page))
    }
    this.#isDrawing = false
  }

  /** A page that fails is drawn once more, from scratch, unless a newer one waits. */
  async #attempt(page: Page): Promise<boolean> {
    for (let attempt = 1; attempt <= 2; attempt++) {
      const isDrawn = await this.#draw(page).catch(() => false)
      if (isDrawn || this.#waiting) return isDrawn
      this.forget()
    }
    return false
  }

  async #draw(page: Page): Promise<boolean> {
    if (page.kind !== 'picture') return this.#drawText(page.kind === 'text' ? page.lines : [])
    return this.#drawTiles(tilesOf(page.picture))
  }

  async #drawText(lines: readonly string[]): Promise<boolean> {
    const content = halvesOf(lines)
    if (this.#drawn?.kind !== 'text') {
      return this.#replacePage(textContainers(content), { kind: 'text', content: { ...content } })
    }
    const { content: drawn } = this.#drawn
    for (const half of HALVES) {
      if (drawn[half] === content[half]) continue
      if (!(await this.#bridge.textContainerUpgrade(textUpdate(half, content[half])))) return false
      drawn[half] = content[half]
    }
    return true
  }

  async #drawTiles(tiles: readonly Uint8Array[]): Promise<boolean> {
    const dark: Drawn = { kind: 'picture', tiles: [] }
    if (!this.#drawnTiles && !(await this.#replacePage(pictureContainers(), dark))) return false
    const drawn = this.#drawnTiles
    if (!drawn) return false
    for (const tile of TILES) {
      // A tile takes about half a second, which a newer page does not wait for.
      if (this.#waiting) return false
      const pixels = tiles[tile]
      if (pixels === undefined || isSameTile(pixels, drawn[tile])) continue
      if ((await this.#bridge.updateImageRawData(tileUpdate(tile, pixels))) !== 'success') return false
      drawn[tile] = pixels
    }
    return true
  }

  /** The tiles on the lens; undefined if it shows no picture. */
  get #drawnTiles(): (Uint8Array | undefined)[] | undefined {
    return this.#drawn?.kind === 'picture' ? this.#drawn.tiles : undefined
  }

  /** The first page must be created and all others replace one, but the page of an earlier visit may still be there. */
  async #replacePage(containers: PageContainers, drawn: Drawn): Promise<boolean> {
    const forgotten = this.#forgotten
    this.#drawn = undefined
    const create = async () => (await this.#bridge.createStartUpPageContainer(containers)) === 0
    const rebuild = () => this.#bridge.rebuildPageContainer(containers)
    const [first, second] = this.#hasPage ? [rebuild, create] : [create, rebuild]
    this.#hasPage = (await first()) || (await second())
    if (this.#hasPage && forgotten === this.#forgotten) this.#drawn = drawn
    return this.#hasPage
  }
}

function isSameTile(pixels: Uint8Array, drawn: Uint8Array | undefined): boolean {
  return drawn ? pixels.every((pixel, index) => pixel === drawn[index]) : pixels.every((pixel) => pixel === 0)
}
