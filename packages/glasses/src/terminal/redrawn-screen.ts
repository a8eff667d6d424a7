import { clearScreenDown, cursorTo } from 'node:readline'
import { drawBox } from '../display/box.ts'
import type { Display } from '../display/display.ts'
import type { Screen } from './screen.ts'

/** So many of the last lines stay on the screen below the lens. */
const MAX_LINES = 10

/** For a person at a terminal: the lens on top, what happened below it, drawn anew at every change. */
export class RedrawnScreen implements Screen {
  readonly #output: NodeJS.WritableStream
  readonly #prompt: () => void
  #box: string[]
  #state = ''
  #lines: string[] = []

  /** @param prompt shows the line being typed again, below everything else */
  constructor(output: NodeJS.WritableStream, lens: Display, prompt: () => void) {
    this.#output = output
    this.#prompt = prompt
    this.#box = drawBox(lens.lines, lens.size)
  }

  showDisplay(lens: Display): void {
    this.#box = drawBox(lens.lines, lens.size)
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
    this.#prompt()
  }
}
