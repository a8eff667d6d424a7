import { drawBox } from '../display/box.ts'
import type { Display } from '../display/display.ts'

/** Where the terminal program shows what happens. */
export interface Screen {
  /** What the wearer sees changed. */
  showDisplay(lens: Display): void
  /** Something happened that one line tells. */
  print(line: string): void
  /** The state line: connection, microphone, running apps. */
  showState(state: string): void
}

/** For pipes and log files: every change in its turn, nothing ever erased. */
export class PlainScreen implements Screen {
  readonly #write: (text: string) => void
  #state = ''

  constructor(write: (text: string) => void) {
    this.#write = write
  }

  showDisplay(lens: Display): void {
    this.#write(`${drawBox(lens.lines, lens.size).join('\n')}\n`)
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
