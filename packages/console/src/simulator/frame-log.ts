import type { Frame } from '@glasses-cloud/phone/browser'
import { checkFrame, type FrameCheck } from './frame-check.ts'

/** A frame in the inspector. */
export interface LoggedFrame {
  /** Unique and increasing. */
  readonly id: number
  /** Epoch ms. */
  readonly at: number
  readonly direction: Frame['direction']
  /** Message type, `audio` for a run of binary frames, or `invalid` for text that is not a message. */
  readonly type: string
  readonly bytes: number
  /** Number of frames: consecutive audio frames are one entry. */
  readonly count: number
  /** The text of the frame and its check against the contract; absent for audio. */
  readonly content?: { readonly text: string; readonly check: FrameCheck }
}

/** Older frames are forgotten. */
const MAX_FRAMES = 2_000

const encoder = new TextEncoder()

/** The last frames of a connection, oldest first. Every change replaces the list, so that React notices it. */
export class FrameLog {
  frames: readonly LoggedFrame[] = []
  #nextId = 1

  add({ direction, content }: Frame, at: number): void {
    if (typeof content === 'string') {
      const bytes = encoder.encode(content).length
      const { type = 'invalid', check } = checkFrame(content, direction)
      return this.#append({ at, direction, type, bytes, count: 1, content: { text: content, check } })
    }
    const last = this.frames.at(-1)
    if (last !== undefined && last.content === undefined) {
      const merged = { ...last, at, bytes: last.bytes + content, count: last.count + 1 }
      this.frames = [...this.frames.slice(0, -1), merged]
    } else this.#append({ at, direction, type: 'audio', bytes: content, count: 1 })
  }

  clear(): void {
    this.frames = []
  }

  #append(frame: Omit<LoggedFrame, 'id'>): void {
    this.frames = [...this.frames.slice(1 - MAX_FRAMES), { id: this.#nextId++, ...frame }]
  }
}

/** Parses JSON; text that is not JSON is returned as it is. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
