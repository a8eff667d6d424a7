import { FRAME_GLYPH_HEIGHT, frameGlyph, haloGlyph } from './fonts.ts'

/** A drawn text, from its upper left corner. */
interface DrawnText {
  readonly x: number
  readonly y: number
  readonly text: string
}

/** What was drawn, and what the wearer sees of it. */
class Drawing {
  readonly texts: DrawnText[] = []
  readonly pixels: Uint8Array

  constructor(size: number) {
    this.pixels = new Uint8Array(size)
  }
}

/** The display of Frame, with a buffer that `show` makes visible, or of Halo, which is round and shows at once. */
export class BrilliantLens {
  readonly width: number
  readonly height: number
  readonly #isRound: boolean
  #drawing: Drawing
  #shown: Drawing
  #scale = 1
  /** Whether the display shines. Halo starts dark (halo-firmware, `lua_display.c`). */
  isOn: boolean
  /** Characters that do not fit on the display, and those without a glyph: a client should send none. */
  overflows = 0
  missingGlyphs = 0

  constructor(kind: 'Frame' | 'Halo') {
    this.#isRound = kind === 'Halo'
    this.isOn = !this.#isRound
    this.width = this.#isRound ? 256 : 640
    this.height = this.#isRound ? 256 : 400
    this.#drawing = new Drawing(this.width * this.height)
    this.#shown = this.#isRound ? this.#drawing : new Drawing(this.width * this.height)
  }

  /** The visible lines of text, the upper first. */
  get lines(): readonly string[] {
    if (!this.isOn) return []
    const lines = [...this.#shown.texts].sort((a, b) => a.y - b.y || a.x - b.x).map(({ text }) => text)
    return lines.filter((line) => line.trim() !== '')
  }

  /** The visible pixels in rows from the top, 1 where light is shown. */
  get pixels(): Uint8Array {
    return this.isOn ? this.#shown.pixels : new Uint8Array(this.width * this.height)
  }

  clear(): void {
    this.#drawing = new Drawing(this.width * this.height)
    if (this.#isRound) this.#shown = this.#drawing
  }

  show(): void {
    if (this.#isRound) return
    this.#shown = this.#drawing
    this.clear()
  }

  /** @param size multiple of 8 pixels */
  setFont(size: number): void {
    this.#scale = size / 8
  }

  /** Draws a text from its upper left corner, counted from 1. */
  text(text: string, x: number, y: number): void {
    let left = x - 1
    let drawn = ''
    for (const character of text) {
      const glyph = this.#isRound ? haloGlyph(character, this.#scale) : frameGlyph(character)
      if (glyph === undefined) {
        this.missingGlyphs += 1
        continue
      }
      if (!this.#fits(left, y - 1, glyph.width)) {
        this.overflows += 1
        continue
      }
      this.#drawGlyph(character, left, y - 1, glyph.width)
      drawn += character
      left += glyph.advance
    }
    this.#drawing.texts.push({ x, y, text: drawn })
  }

  /** Draws one bit for each pixel, the rows one after another without padding. */
  bitmap(x: number, y: number, width: number, data: Uint8Array): void {
    for (let index = 0; index < data.length * 8; index++) {
      const isLit = ((data[index >> 3] ?? 0) >> (7 - (index & 7))) & 1
      if (isLit) this.#light(x - 1 + (index % width), y - 1 + Math.floor(index / width))
    }
  }

  get #glyphHeight(): number {
    return this.#isRound ? 8 * this.#scale : FRAME_GLYPH_HEIGHT
  }

  /** Frame leaves out what ends at its border (frame-codebase, `display.c`); Halo's lens ends at the circle. */
  #fits(left: number, top: number, width: number): boolean {
    if (!this.#isRound) return left + 1 + width <= 640 && top + 1 + this.#glyphHeight <= 400
    const corners = [left, left + width].flatMap((x) => [top, top + this.#glyphHeight].map((y) => [x, y]))
    return corners.every(([x = 0, y = 0]) => Math.hypot(x - 128, y - 128) <= 128)
  }

  /** A pattern of its own for each character. */
  #drawGlyph(character: string, left: number, top: number, width: number): void {
    const code = character.codePointAt(0) ?? 0
    if (character === ' ') return
    for (let y = 0; y < this.#glyphHeight; y++)
      for (let x = 0; x < width; x++) if ((code >> ((x + y) % 8)) & 1) this.#light(left + x, top + y)
  }

  #light(x: number, y: number): void {
    if (x >= 0 && x < this.width && y >= 0 && y < this.height) this.#drawing.pixels[y * this.width + x] = 1
  }
}
