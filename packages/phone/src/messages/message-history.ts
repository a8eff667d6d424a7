import type { Message } from '@glasses-cloud/contract'

const MAX_MESSAGES = 1_000

/**
 * The last messages from the cloud, so that a wait also finds a message that was already received.
 *
 * Each type has a read cursor: a message that was returned, or skipped, is not returned again.
 */
export class MessageHistory {
  #messages: Message[] = []
  /** Number of messages dropped from the front. */
  #dropped = 0
  /** Absolute read position by message type. */
  readonly #cursors = new Map<string, number>()

  add(message: Message): void {
    this.#messages.push(message)
    if (this.#messages.length > MAX_MESSAGES) {
      this.#messages.shift()
      this.#dropped++
    }
  }

  /** The recorded messages, oldest first, optionally of one type. */
  list(type?: string): readonly Message[] {
    return type === undefined
      ? [...this.#messages]
      : this.#messages.filter((message) => message.type === type)
  }

  /** Returns the next unread message of a type that matches. Without a match the cursor stays where it is. */
  next(type: string, matches: (message: Message) => boolean): Message | undefined {
    const from = Math.max(0, (this.#cursors.get(type) ?? 0) - this.#dropped)
    for (let index = from; index < this.#messages.length; index++) {
      const message = this.#messages[index]
      if (message?.type === type && matches(message)) {
        this.#cursors.set(type, this.#dropped + index + 1)
        return message
      }
    }
    return undefined
  }
}
