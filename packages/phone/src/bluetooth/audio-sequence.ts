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
