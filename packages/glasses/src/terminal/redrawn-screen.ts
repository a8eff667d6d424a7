import { clearScreenDown, cursorTo } from 'node:readline'
import { drawBox } from '../lens/box.ts'
import type { Lens } from '../lens/lens.ts'
import type { Screen } from './screen.ts'

/** So many of the last lines stay on the screen below the lens. */
const LINES_KEPT = 10

/** For a person at a terminal: the lens on top, what happened below it, drawn anew at every change. */
export class RedrawnScreen implements Screen {
  readonly #output: NodeJS.WritableStream
  readonly #prompt: () => void
  #box: string[]
  #state = ''
  #told: string[] = []

  /** @param prompt shows the line being typed again, below everything else */
  constructor(output: NodeJS.WritableStream, lens: Lens, prompt: () => void) {
    this.#output = output
    this.#prompt = prompt
    this.#box = drawBox(lens.lines, lens.size)
  }

  showLens(lens: Lens): void {
    this.#box = drawBox(lens.lines, lens.size)
    this.#draw()
  }

  tell(line: string): void {
    this.#told = [...this.#told, ...line.split('\n')].slice(-LINES_KEPT)
    this.#draw()
  }

  showState(state: string): void {
    this.#state = state
    this.#draw()
  }

  #draw(): void {
    cursorTo(this.#output, 0, 0)
    clearScreenDown(this.#output)
    this.#output.write(`${[...this.#box, this.#state, '', ...this.#told].join('\n')}\n`)
    this.#prompt()
  }
}
