import { glyphPixels, LENS_HEIGHT, LENS_LINES, LENS_WIDTH } from './glyphs.ts'

const LINE_HEIGHT = Math.floor(LENS_HEIGHT / LENS_LINES)

/** What one arm displays: text as lines, and in every case pixels, so that two arms can be compared. */
export class Lens {
  #lines: readonly string[] = []
  #pixels = new Uint8Array(LENS_WIDTH * LENS_HEIGHT)
  #kind: 'dashboard' | 'text' | 'picture' = 'dashboard'
  /** Lines that were wider than the display, and lines beyond the last: a client should send none. */
  overflows = 0

  /** What is displayed: the device's own dashboard, or what a client sent. */
  get kind(): 'dashboard' | 'text' | 'picture' {
    return this.#kind
  }

  /** The displayed lines of text, cut to the display. */
  get lines(): readonly string[] {
    return this.#lines
  }

  /** 576 × 136 pixels in rows from the top, 1 where light is shown. */
  get pixels(): Uint8Array {
    return this.#pixels
  }

  showDashboard(): void {
    this.#set('dashboard', [], new Uint8Array(LENS_WIDTH * LENS_HEIGHT))
  }

  showText(text: string): void {
    const pixels = new Uint8Array(LENS_WIDTH * LENS_HEIGHT)
    const lines = text.replace(/\n$/, '').split('\n')
    if (lines.length > LENS_LINES) this.overflows += 1
    const shown = lines.slice(0, LENS_LINES).map((line, row) => this.#drawLine(pixels, line, row))
    this.#set('text', shown.join('').trim() === '' ? [] : shown, pixels)
  }

  /** @param pixels of 576 × 136, 1 where light is shown */
  showPicture(pixels: Uint8Array<ArrayBuffer>): void {
    this.#set('picture', [], pixels)
  }

  #set(
    kind: 'dashboard' | 'text' | 'picture',
    lines: readonly string[],
    pixels: Uint8Array<ArrayBuffer>,
  ): void {
    this.#kind = kind
    this.#lines = lines
    this.#pixels = pixels
  }

  /** Draws each character as a pattern of its own, as wide as its glyph. Returns what fits. */
  #drawLine(pixels: Uint8Array, line: string, row: number): string {
    let left = 0
    let shown = ''
    for (const character of line) {
      const width = glyphPixels(character)
      if (left + width > LENS_WIDTH) {
        this.overflows += 1
        break
      }
      const code = character.codePointAt(0) ?? 0
      if (character !== ' ')
        for (let y = 2; y < LINE_HEIGHT - 2; y++)
          for (let x = 0; x < width - 2; x++)
            pixels[(row * LINE_HEIGHT + y) * LENS_WIDTH + left + x] = (code >> ((x + y) % 16)) & 1
      left += width
      shown += character
    }
    return shown
  }
}
