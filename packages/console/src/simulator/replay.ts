import type { RecordedFrame } from './recording.ts'

/** Where a replay is. */
export interface ReplayState {
  readonly frames: readonly RecordedFrame[]
  /** Number of frames that were sent. */
  readonly position: number
  readonly isRunning: boolean
  /** Why it stopped before its end. */
  readonly problem: string | undefined
}

const EMPTY: ReplayState = { frames: [], position: 0, isRunning: false, problem: undefined }

/** Sends the frames of a recording again, with the pauses that they had or one by one. */
export class Replay {
  readonly #send: (text: string) => void
  readonly #onChange: (state: ReplayState) => void
  #state = EMPTY
  #timer: ReturnType<typeof setTimeout> | undefined

  /**
   * @param send sends a frame; throws while there is no connection
   * @param onChange called after every change
   */
  constructor(send: (text: string) => void, onChange: (state: ReplayState) => void) {
    this.#send = send
    this.#onChange = onChange
  }

  get state(): ReplayState {
    return this.#state
  }

  /** Loads a recording, at its start. */
  load(frames: readonly RecordedFrame[]): void {
    this.stop()
    this.#change({ ...EMPTY, frames })
  }

  /** Sends the remaining frames, from the first one after the end. */
  start(): void {
    if (this.#state.position === this.#state.frames.length) this.#change({ position: 0 })
    this.#change({ isRunning: true, problem: undefined })
    this.#run()
  }

  /** Sends the next frame. */
  step(): void {
    const { frames, position } = this.#state
    const frame = frames[position]
    if (frame === undefined) return
    try {
      this.#send(frame.text)
      this.#change({ position: position + 1, problem: undefined })
    } catch (error) {
      this.stop()
      this.#change({ problem: error instanceof Error ? error.message : String(error) })
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
    if (this.#state.isRunning) this.#change({ isRunning: false })
  }

  #run(): void {
    this.step()
    const { frames, position, isRunning } = this.#state
    const [last, next] = [frames[position - 1], frames[position]]
    if (!isRunning) return
    if (next === undefined) return this.stop()
    const pauseMs = last === undefined ? 0 : Math.max(next.at - last.at, 0)
    this.#timer = setTimeout(() => this.#run(), pauseMs)
  }

  #change(change: Partial<ReplayState>): void {
    this.#state = { ...this.#state, ...change }
    this.#onChange(this.#state)
  }
}
