type Listener = () => void

/**
 * The part of `AbortSignal` that players of sounds use. Published replacements need globals that a bare engine lacks as
 * well, such as `self` and `DOMException`.
 */
class BareAbortSignal {
  aborted = false
  reason: Error | undefined
  readonly #listeners = new Set<Listener>()

  addEventListener(_type: 'abort', listener: Listener): void {
    this.#listeners.add(listener)
  }

  removeEventListener(_type: 'abort', listener: Listener): void {
    this.#listeners.delete(listener)
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }

  end(): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = new Error('The operation was aborted')
    for (const listener of this.#listeners) listener()
    this.#listeners.clear()
  }
}

class BareAbortController {
  readonly signal = new BareAbortSignal()

  abort(): void {
    this.signal.end()
  }
}

/** Gives an engine without `AbortController` one that ends playbacks. */
export function provideAbortController(): void {
  globalThis.AbortController ??= BareAbortController as unknown as typeof AbortController
}
