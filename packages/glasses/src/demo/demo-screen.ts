import { clearScreenDown, cursorTo } from 'node:readline'
import { drawBox } from '../display/box.ts'
import { DEFAULT_DISPLAY_SIZE } from '../display/display.ts'
import { pad, sanitize, wrap } from '../display/text.ts'

/** Where a demo is shown; a terminal is redrawn, anything else gets one frame after the other. */
export type DemoOutput = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

const COLUMNS = 100
/** The narrowest the log may be, in columns. */
const LOG_COLUMNS = 24
const BOX_COLUMNS = DEFAULT_DISPLAY_SIZE.width + 4
const BOX_LINES = DEFAULT_DISPLAY_SIZE.height + 2

/** The lens drawn as a box, the app's log beside it, and below them what is going on in the room. */
export class DemoScreen {
  readonly #output: DemoOutput
  readonly #title: string
  #display: readonly string[] = []
  #log: string[] = []
  #narration = ''
  #lastFrame = ''

  constructor(output: DemoOutput, title: string) {
    this.#output = output
    this.#title = title
  }

  /** What the wearer sees. */
  showDisplay(lines: readonly string[]): void {
    this.#display = lines
    this.#draw()
  }

  /** A line of an app's log. */
  log(line: string): void {
    this.#log = [...this.#log, sanitize(line)].slice(-BOX_LINES)
    if (this.#output.isTTY) this.#draw()
  }

  /** What is going on in the room. */
  narrate(scene: string): void {
    this.#narration = scene
    if (this.#output.isTTY) this.#draw()
    else this.#output.write(`\n${scene}\n`)
  }

  #draw(): void {
    const logWidth = Math.max(LOG_COLUMNS, (this.#output.columns ?? COLUMNS) - BOX_COLUMNS - 3)
    const box = drawBox(this.#display, DEFAULT_DISPLAY_SIZE)
    const frame = box
      .map((line, at) =>
        `${pad(line, BOX_COLUMNS)}  ${wrap(this.#log[at] ?? '', logWidth)[0] ?? ''}`.trimEnd(),
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
