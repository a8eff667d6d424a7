import type { Layout } from '@glasses-cloud/contract'

/** The rendering of a content at one moment. Renderings with the same `key` are equal. */
export interface Rendering {
  readonly packageName: string
  readonly layout: Layout
  readonly key: unknown
  /** When the rendering changes by itself; infinite if it does not. */
  readonly until: number
  /** Must be called when the rendering was sent. */
  onSent?(now: number): void
}

const MIN_FRAME_INTERVAL_MS = 200

/**
 * The content of one app for a view. Its duration begins when it is first shown, so that content that waits behind a
 * boot screen or another app does not expire unseen.
 */
export class DisplayContent {
  readonly packageName: string
  readonly layout: Layout
  readonly #durationMs: number
  readonly #frameKeys: symbol[] = []
  #shownAt: number | undefined

  /** @param durationMs zero, null or undefined: until the content is replaced (app-socket.md §2.6) */
  constructor(packageName: string, layout: Layout, durationMs: number | null | undefined) {
    this.packageName = packageName
    this.layout = layout
    this.#durationMs = durationMs || Number.POSITIVE_INFINITY
  }

  /** Whether the content was ever sent to the glasses. */
  get wasShown(): boolean {
    return this.#shownAt !== undefined
  }

  /** When the content expires; infinite before it is shown and without a duration. */
  get until(): number {
    return this.#shownAt === undefined ? Number.POSITIVE_INFINITY : this.#shownAt + this.#durationMs
  }

  /**
   * Renders the content. Phones support neither `dashboard_card` nor `bitmap_animation` (glasses-socket.md §7): the
   * first is rendered as two columns of text, the second as one bitmap per frame.
   */
  render(now: number): Rendering {
    const { packageName, layout, until } = this
    const onSent = (at: number) => {
      this.#shownAt ??= at
    }
    if (layout.layoutType === 'dashboard_card') {
      const columns = {
        layoutType: 'double_text_wall',
        topText: layout.leftText,
        bottomText: layout.rightText,
      } as const
      return { packageName, layout: columns, key: this, until, onSent }
    }
    if (layout.layoutType !== 'bitmap_animation') return { packageName, layout, key: this, until, onSent }

    const { frames, repeat = false } = layout
    const intervalMs = Math.max(layout.interval ?? MIN_FRAME_INTERVAL_MS, MIN_FRAME_INTERVAL_MS)
    const startedAt = this.#shownAt ?? now
    const elapsedFrames = Math.floor((now - startedAt) / intervalMs)
    const isComplete = frames.length === 1 || (!repeat && elapsedFrames >= frames.length - 1)
    const index = isComplete ? frames.length - 1 : elapsedFrames % frames.length
    return {
      packageName,
      layout: { layoutType: 'bitmap_view', data: frames[index] ?? '' },
      key: this.#frameKey(index),
      until: isComplete ? until : Math.min(until, startedAt + (elapsedFrames + 1) * intervalMs),
      onSent,
    }
  }

  #frameKey(index: number): symbol {
    this.#frameKeys[index] ??= Symbol(index)
    return this.#frameKeys[index]
  }
}
