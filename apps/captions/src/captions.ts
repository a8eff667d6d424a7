/** Size of the captions. */
export interface CaptionsSize {
  /** Characters per line. */
  readonly width: number
  readonly lines: number
}

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
    if (!isFinal) {
      this.#interim = text
      return
    }
    this.#interim = ''
    this.#finished = `${this.#finished} ${text}`.trim().slice(-MAX_FINISHED_CHARACTERS)
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
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return line === '' ? lines : [...lines, line]
}

function splitWord(word: string, width: number): string[] {
  const characters = [...word]
  return Array.from({ length: Math.ceil(characters.length / width) }, (_, index) =>
    characters.slice(index * width, (index + 1) * width).join(''),
  )
}
