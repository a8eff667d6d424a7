import type { Message } from '@glasses-cloud/contract'

/** No more messages than this are kept; the oldest go first. */
const KEPT = 1_000

/**
 * What the cloud has said, kept for a while, so that one may wait for a message that has already come.
 *
 * Each type is read like a stream: a message that was taken, or passed over, is not found again.
 */
export class Inbox {
  #kept: Message[] = []
  /** How many messages have gone before the first kept one. */
  #dropped = 0
  /** For each type, how far it has been read. */
  readonly #read = new Map<string, number>()

  add(message: Message): void {
    this.#kept.push(message)
    if (this.#kept.length > KEPT) {
      this.#kept.shift()
      this.#dropped++
    }
  }

  /** Everything kept, oldest first, or what is kept of one type. */
  all(type?: string): readonly Message[] {
    return type === undefined ? [...this.#kept] : this.#kept.filter((message) => message.type === type)
  }

  /** Takes the next unread message of a type that fits; without one, everything of that type stays unread. */
  take(type: string, fits: (message: Message) => boolean): Message | undefined {
    const from = Math.max(0, (this.#read.get(type) ?? 0) - this.#dropped)
    for (let at = from; at < this.#kept.length; at++) {
      const message = this.#kept[at]
      if (message?.type === type && fits(message)) {
        this.#read.set(type, this.#dropped + at + 1)
        return message
      }
    }
    return undefined
  }
}
