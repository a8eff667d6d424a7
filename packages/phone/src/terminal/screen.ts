import type { Display } from '../pages/display.ts'
import { drawBox } from '../simulated/box.ts'
import { DEFAULT_DISPLAY_SIZE } from '../simulated/display-size.ts'

/** Output of the terminal program. */
export interface Screen {
  showDisplay(display: Display): void
  print(line: string): void
  /** Shows the state line: connection, microphone, running apps. */
  showState(state: string): void
}

/** Output for pipes and log files: appends every change. */
export class PlainScreen implements Screen {
  readonly #write: (text: string) => void
  #state = ''

  constructor(write: (text: string) => void) {
    this.#write = write
  }

  showDisplay(display: Display): void {
    this.#write(`${drawBox(display.lines, DEFAULT_DISPLAY_SIZE).join('\n')}\n`)
  }

  print(line: string): void {
    this.#write(`${line}\n`)
  }

  showState(state: string): void {
    if (state === this.#state) return
    this.#state = state
    this.#write(`[${state}]\n`)
  }
}
