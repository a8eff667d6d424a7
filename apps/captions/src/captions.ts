/** Size of the captions. */
export interface CaptionsSize {
  /** Columns of a line; characters of East Asia and emoji take two. */
  readonly width: number
  readonly lines: number
}

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Characters of East Asia and emoji, which are twice as wide as others, and those that take no room. */
const WIDE = /^[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}]/u
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/** Final text that is kept; a display shows far less. */
const MAX_FINISHED_CHARACTERS = 1_000

/** Captions that fit on a display: the last final texts, followed by the current interim text. */
export class Captions {
  readonly #size: CaptionsSize
  #finished = ''
  #interim = ''

  constructor(room: CaptionsSize) {
    this.#size = room
  }

  /** Adds a transcription. An interim text replaces the previous one; a final text stays. */
  add(text: string, isFinal: boolean): void {
    // A syllable of Korean may be several characters.
    const composed = text.normalize('NFC').replace(INVISIBLE, '')
    if (!isFinal) {
      this.#interim = composed
      return
    }
    this.#interim = ''
    this.#finished = `${this.#finished} ${composed}`.trim().slice(-MAX_FINISHED_CHARACTERS)
  }

  /** The visible lines, newest last. */
  get text(): string {
    return wrap(`${this.#finished} ${this.#interim}`, this.#size.width).slice(-this.#size.lines).join('\n')
  }
}

/** Wraps text between words; breaks words that are longer than a line. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((word) => splitWord(word, width))) {
    if (line !== '' && columnsOf(line) + 1 + columnsOf(word) > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return line === '' ? lines : [...lines, line]
}

function splitWord(word: string, width: number): string[] {
  const parts: string[] = []
  let part = ''
  for (const { segment } of characters.segment(word)) {
    if (part !== '' && columnsOf(part + segment) > width) {
      parts.push(part)
      part = ''
    }
    part += segment
  }
  return [...parts, part]
}

function columnsOf(text: string): number {
  let columns = 0
  for (const { segment } of characters.segment(text)) columns += WIDE.test(segment) ? 2 : 1
  return columns
}
