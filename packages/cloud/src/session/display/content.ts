import type { Layout } from '@glasses-cloud/contract'

/** The picture a content amounts to at one moment. Same `key`, same picture. */
export interface Picture {
  readonly packageName: string
  readonly layout: Layout
  readonly key: unknown
  /** When the picture changes by itself. */
  readonly until: number
  /** To be called when the picture went out. */
  sent?(now: number): void
}

const SHORTEST_FRAME = 200

/**
 * What one app wants on a view. Its time runs from the moment it is first shown, so that what waits behind a boot
 * screen or another app is not over before anybody saw it.
 */
export class Content {
  readonly packageName: string
  readonly layout: Layout
  readonly #durationMs: number
  #shownAt: number | undefined

  /** @param durationMs zero, null or none means: until replaced (app socket protocol, 2.6) */
  constructor(packageName: string, layout: Layout, durationMs: number | null | undefined) {
    this.packageName = packageName
    this.layout = layout
    this.#durationMs = durationMs || Number.POSITIVE_INFINITY
  }

  /** Whether anybody has seen it yet. */
  get shown(): boolean {
    return this.#shownAt !== undefined
  }

  /** Epoch milliseconds; infinite while nothing but a newer content ends it. */
  get until(): number {
    return this.#shownAt === undefined ? Number.POSITIVE_INFINITY : this.#shownAt + this.#durationMs
  }

  /**
   * What to draw now. Phones draw neither `dashboard_card` nor `bitmap_animation` (glasses socket protocol, gotcha
   * 13): the first becomes two columns of text, the second a bitmap that changes with time.
   */
  picture(now: number): Picture {
    const { packageName, layout, until } = this
    const sent = (at: number) => {
      this.#shownAt ??= at
    }
    if (layout.layoutType === 'dashboard_card') {
      const columns = {
        layoutType: 'double_text_wall',
        topText: layout.leftText,
        bottomText: layout.rightText,
      } as const
      return { packageName, layout: columns, key: this, until, sent }
    }
    if (layout.layoutType !== 'bitmap_animation') return { packageName, layout, key: this, until, sent }

    const { frames, repeat = false } = layout
    const interval = Math.max(layout.interval ?? SHORTEST_FRAME, SHORTEST_FRAME)
    const began = this.#shownAt ?? now
    const passed = Math.floor((now - began) / interval)
    const over = frames.length === 1 || (!repeat && passed >= frames.length - 1)
    const index = over ? frames.length - 1 : passed % frames.length
    return {
      packageName,
      layout: { layoutType: 'bitmap_view', data: frames[index] ?? '' },
      key: this.#frameKey(index),
      until: over ? until : Math.min(until, began + (passed + 1) * interval),
      sent,
    }
  }

  readonly #frameKeys: symbol[] = []
  #frameKey(index: number): symbol {
    this.#frameKeys[index] ??= Symbol(index)
    return this.#frameKeys[index]
  }
}
