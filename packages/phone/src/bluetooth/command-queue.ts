import { hexByte, type Step } from './command.ts'

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

/** What became of a task. `replaced`: a newer one of its slot took its place, or it was canceled. */
export type Outcome = 'done' | 'refused' | 'replaced' | 'lost'

/** Commands that are sent one after another. Tasks of one slot replace each other. */
export interface Task<Slot extends string> {
  readonly slot: Slot
  /** Makes the commands when it is the task's turn. */
  readonly steps: () => readonly Step[]
  /** Whether the device shows nothing of it before its end, so that a newer task may cut it short. */
  readonly isAbandonable: boolean
  readonly settle: (outcome: Outcome) => void
}

/** The tasks of a device: the one in progress, and at most one waiting in each slot. */
export class CommandQueue<Slot extends string> {
  readonly #slots: readonly Slot[]
  readonly #waiting = new Map<Slot, Task<Slot>>()
  #current: Task<Slot> | undefined
  #isCanceled = false

  /** @param slots tasks of an earlier slot are done first */
  constructor(slots: readonly Slot[]) {
    this.#slots = slots
  }

  /** Adds a task in place of the waiting one of its slot. */
  add(task: Task<Slot>): void {
    this.#waiting.get(task.slot)?.settle('replaced')
    this.#waiting.set(task.slot, task)
    if (this.#current?.slot === task.slot && this.#current.isAbandonable) this.#isCanceled = true
  }

  /** Cancels the tasks of a slot; the one in progress ends before its next command. */
  cancel(slot: Slot): void {
    this.#waiting.get(slot)?.settle('replaced')
    this.#waiting.delete(slot)
    if (this.#current?.slot === slot) this.#isCanceled = true
  }

  /** Begins the next task. */
  next(): Task<Slot> | undefined {
    const slot = this.#slots.find((each) => this.#waiting.has(each))
    this.#current = slot && this.#waiting.get(slot)
    if (slot) this.#waiting.delete(slot)
    this.#isCanceled = false
    return this.#current
  }

  /** Whether the task in progress must send nothing more. */
  get isCanceled(): boolean {
    return this.#isCanceled
  }

  /** Ends the task in progress. */
  finish(outcome: Outcome): void {
    this.#current?.settle(outcome)
    this.#current = undefined
  }

  /** Ends all waiting tasks. */
  clear(): void {
    for (const task of this.#waiting.values()) task.settle('lost')
    this.#waiting.clear()
    this.#isCanceled = false
  }
}
