/** Counts the packets that are missing in a numbered sequence, whose numbers wrap after 255. */
export class AudioSequence {
  #last: number | undefined
  #lost = 0

  /** Packets that did not arrive. */
  get lost(): number {
    return this.#lost
  }

  /** Accepts any number next: the sender starts again. */
  restart(): void {
    this.#last = undefined
  }

  /** @returns whether the packet is new; false for the repetition of the last one */
  accept(sequence: number): boolean {
    if (sequence === this.#last) return false
    if (this.#last !== undefined) this.#lost += (sequence - this.#last - 1) & 0xff
    this.#last = sequence
    return true
  }
}

/** A command of a device: how it is answered, and what follows if it is not. */
export interface Command {
  /** What the log calls the command; without a name, its first byte. */
  readonly name?: string
  /** Judges an answer; undefined if it answers another command. Missing for commands that are not answered. */
  readonly judge?: (answer: Uint8Array, sent: Uint8Array) => 'done' | 'refused' | undefined
  /** Time for the write and its answer. */
  readonly limitMs: number
  /** Further attempts after one that was refused or not answered. */
  readonly repeats: number
  /** Time between two attempts. */
  readonly repeatAfterMs?: number
  /** Time until the next command. */
  readonly pauseMs?: number
  /** Whether the device counts as lost after the last attempt without an answer. */
  readonly mustBeAnswered: boolean
}

/** One write of a command. */
export interface Step {
  readonly command: Command
  readonly bytes: Uint8Array
}

/** What the log and sentences call a command. */
export function commandLabel({ command, bytes }: Step): string {
  return command.name ?? hexByte(bytes[0] ?? 0)
}

/** Two hexadecimal digits. */
export function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}
