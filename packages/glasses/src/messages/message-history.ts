import type { Message } from '@glasses-cloud/contract'

/** No more messages than this are kept; the oldest go first. */
const MAX_MESSAGES = 1_000

/**
 * What the cloud has said, kept for a while, so that one may wait for a message that has already come.
 *
 * Each type is read like a stream: a message that was taken, or passed over, is not found again.
 */
export class MessageHistory {
  #messages: Message[] = []
  /** How many messages have gone before the first kept one. */
  #dropped = 0
  /** For each type, how far it has been read. */
  readonly #cursors = new Map<string, number>()

  add(message: Message): void {
    this.#messages.push(message)
    if (this.#messages.length > MAX_MESSAGES) {
      this.#messages.shift()
      this.#dropped++
    }
  }

  /** Everything kept, oldest first, or what is kept of one type. */
  list(type?: string): readonly Message[] {
    return type === undefined
      ? [...this.#messages]
      : this.#messages.filter((message) => message.type === type)
  }

  /** Takes the next unread message of a type that fits; without one, everything of that type stays unread. */
  next(type: string, fits: (message: Message) => boolean): Message | undefined {
    const from = Math.max(0, (this.#cursors.get(type) ?? 0) - this.#dropped)
    for (let at = from; at < this.#messages.length; at++) {
      const message = this.#messages[at]
      if (message?.type === type && fits(message)) {
        this.#cursors.set(type, this.#dropped + at + 1)
        return message
      }
    }
    return undefined
  }
}
