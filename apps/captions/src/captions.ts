/** Room for captions on a lens: characters a line, lines. */
export interface Room {
  readonly width: number
  readonly lines: number
}

/** No more finished speech than this is remembered, in characters; a lens shows far less. */
const REMEMBERED = 1_000

/** What is said, as the last lines that fit on a lens: finished sentences, then the one being spoken. */
export class Captions {
  readonly #room: Room
  #finished = ''
  #spoken = ''

  constructor(room: Room) {
    this.#room = room
  }

  /** Takes in a transcription. An interim text replaces the one before it; a final one stays. */
  hear(text: string, isFinal: boolean): void {
    if (!isFinal) {
      this.#spoken = text
      return
    }
    this.#spoken = ''
    this.#finished = `${this.#finished} ${text}`.trim().slice(-REMEMBERED)
  }

  /** The last lines, newest at the bottom. */
  get text(): string {
    return wrap(`${this.#finished} ${this.#spoken}`, this.#room.width).slice(-this.#room.lines).join('\n')
  }
}

/** Breaks text between words; a word longer than a line is broken too. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((long) => pieces(long, width))) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return line === '' ? lines : [...lines, line]
}

function pieces(word: string, width: number): string[] {
  const characters = [...word]
  return Array.from({ length: Math.ceil(characters.length / width) }, (_, at) =>
    characters.slice(at * width, (at + 1) * width).join(''),
  )
}
