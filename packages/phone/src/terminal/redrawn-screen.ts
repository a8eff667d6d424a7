import { clearScreenDown, cursorTo } from 'node:readline'
import type { Display } from '../pages/display.ts'
import { drawBox } from '../simulated/box.ts'
import { DEFAULT_DISPLAY_SIZE } from '../simulated/simulated-glasses.ts'

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

/** Number of printed lines that stay visible below the display. */
const MAX_LINES = 10

/** Output for an interactive terminal: the display on top, the last lines below, redrawn at every change. */
export class RedrawnScreen implements Screen {
  readonly #output: NodeJS.WritableStream
  readonly #redrawPrompt: () => void
  #box: string[]
  #state = ''
  #lines: string[] = []

  /** @param redrawPrompt redraws the input line below everything else */
  constructor(output: NodeJS.WritableStream, display: Display, redrawPrompt: () => void) {
    this.#output = output
    this.#redrawPrompt = redrawPrompt
    this.#box = drawBox(display.lines, DEFAULT_DISPLAY_SIZE)
  }

  showDisplay(display: Display): void {
    this.#box = drawBox(display.lines, DEFAULT_DISPLAY_SIZE)
    this.#draw()
  }

  print(line: string): void {
    this.#lines = [...this.#lines, ...line.split('\n')].slice(-MAX_LINES)
    this.#draw()
  }

  showState(state: string): void {
    this.#state = state
    this.#draw()
  }

  #draw(): void {
    cursorTo(this.#output, 0, 0)
    clearScreenDown(this.#output)
    this.#output.write(`${[...this.#box, this.#state, '', ...this.#lines].join('\n')}\n`)
    this.#redrawPrompt()
  }
}
