import type { StreamEnvelope } from '@glasses-cloud/contract'

/** A frame that waits for its app to come back. */
export interface WaitingFrame {
  readonly envelope: StreamEnvelope
  readonly dataJson: string
}

const MAX_FRAMES = 200
const MAX_CHARACTERS = 256 * 1024

/**
 * Frames for an app whose socket broke, kept for the seconds it has to reconnect. Bounded: the oldest go first,
 * and it is counted how many went.
 */
export class Backlog {
  #frames: WaitingFrame[] = []
  #characters = 0
  #dropped = 0

  push(frame: WaitingFrame): void {
    this.#frames.push(frame)
    this.#characters += frame.dataJson.length
    while (this.#frames.length > MAX_FRAMES || this.#characters > MAX_CHARACTERS) {
      this.#characters -= this.#frames.shift()?.dataJson.length ?? 0
      this.#dropped += 1
    }
  }

  /** Empties the backlog. */
  take(): { frames: readonly WaitingFrame[]; dropped: number } {
    const taken = { frames: this.#frames, dropped: this.#dropped }
    this.#frames = []
    this.#characters = 0
    this.#dropped = 0
    return taken
  }
}
