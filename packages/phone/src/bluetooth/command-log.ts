import { hexByte } from './command.ts'

/** One line of the log: what went over a link, without its content. */
export interface LogEntry {
  /** Epoch milliseconds. */
  readonly at: number
  /** The peripheral, for devices that have several. */
  readonly part?: string | undefined
  readonly event: 'sent' | 'received' | 'link'
  /** Name or first byte of the command, answer or event. */
  readonly code?: string | number | undefined
  /** Bytes. */
  readonly length?: number
  /** Status of an answer, number of an event, or what became of a command or of the link. */
  readonly result?: string
}

const MAX_ENTRIES = 2000

/** The last 2,000 commands, answers and events, for a report of a wearer. It contains no text, audio or picture. */
export class CommandLog {
  #entries: LogEntry[] = []

  add(entry: LogEntry): void {
    this.#entries.push(entry)
    if (this.#entries.length >= MAX_ENTRIES * 2) this.#entries = this.#entries.slice(-MAX_ENTRIES)
  }

  /** One line per entry, the oldest first. */
  toString(): string {
    return this.#entries.slice(-MAX_ENTRIES).map(format).join('\n')
  }
}

function format({ at, part, event, code, length, result }: LogEntry): string {
  return [
    new Date(at).toISOString(),
    part ?? '',
    event,
    typeof code === 'number' ? hexByte(code) : (code ?? ''),
    length === undefined ? '' : `${length} bytes`,
    result ?? '',
  ]
    .filter((part) => part !== '')
    .join(' ')
}
