import { clearScreenDown, cursorTo } from 'node:readline'
import stringWidth from 'string-width'
import { breakLines } from '../pages/break-lines.ts'
import { cleanText } from '../pages/clean-text.ts'
import { drawBox, pad } from '../simulated/box.ts'
import { DEFAULT_DISPLAY_SIZE } from '../simulated/simulated-glasses.ts'

/** Output of a demo: redrawn in place if it is a terminal, otherwise appended frame by frame. */
export type DemoOutput = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

const DEFAULT_COLUMNS = 100
const MIN_LOG_COLUMNS = 24
const BOX_COLUMNS = DEFAULT_DISPLAY_SIZE.width + 4
const BOX_LINES = DEFAULT_DISPLAY_SIZE.height + 2

/** Draws the display as a box, the log of the apps beside it, and the narration below. */
export class DemoScreen {
  readonly #output: DemoOutput
  readonly #title: string
  #displayLines: readonly string[] = []
  #log: string[] = []
  #narration = ''
  #lastFrame = ''

  constructor(output: DemoOutput, title: string) {
    this.#output = output
    this.#title = title
  }

  showDisplay(lines: readonly string[]): void {
    this.#displayLines = lines
    this.#draw()
  }

  /** Adds a log line of an app. */
  log(line: string): void {
    this.#log = [...this.#log, cleanText(line)].slice(-BOX_LINES)
    if (this.#output.isTTY) this.#draw()
  }

  /** Describes what happens next. */
  narrate(text: string): void {
    this.#narration = text
    if (this.#output.isTTY) this.#draw()
    else this.#output.write(`\n${text}\n`)
  }

  #draw(): void {
    const logColumns = Math.max(MIN_LOG_COLUMNS, (this.#output.columns ?? DEFAULT_COLUMNS) - BOX_COLUMNS - 3)
    const frame = drawBox(this.#displayLines, DEFAULT_DISPLAY_SIZE)
      .map((line, index) =>
        `${pad(line, BOX_COLUMNS)}  ${breakLines(this.#log[index] ?? '', logColumns, stringWidth)[0] ?? ''}`.trimEnd(),
      )
      .join('\n')
    if (this.#output.isTTY) {
      cursorTo(this.#output, 0, 0)
      clearScreenDown(this.#output)
      this.#output.write(`${this.#title}\n\n${frame}\n\n${this.#narration}\n`)
    } else if (frame !== this.#lastFrame) {
      this.#output.write(`${frame}\n`)
    }
    this.#lastFrame = frame
  }
}
