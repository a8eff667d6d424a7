import type { EventEmitter } from 'node:events'
import type { Message } from '@glasses-cloud/contract'
import type { Clock } from '../clock.ts'

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

export interface WaitOptions<T> {
  /** Emits `event` when the condition may have changed. */
  readonly emitter: EventEmitter
  readonly event: string
  /** Returns the result, or `undefined` to keep waiting. Called immediately and after each event. */
  readonly check: () => T | undefined
  readonly timeoutMs: number
  readonly clock: Clock
  /** For the timeout error: the expected condition and the current state. */
  readonly describe: () => string
}

/**
 * Waits until `check` returns a result.
 * @throws {Error} at the deadline, with the description
 */
export function waitUntil<T>(options: WaitOptions<T>): Promise<T> {
  const { emitter, event, check, timeoutMs, clock, describe } = options
  return new Promise((resolve, reject) => {
    const cleanUp = () => {
      emitter.off(event, runCheck)
      clock.clearTimeout(deadline)
    }
    const runCheck = () => {
      try {
        const result = check()
        if (result === undefined) return
        cleanUp()
        resolve(result)
      } catch (error) {
        cleanUp()
        reject(error)
      }
    }
    const deadline = clock.setTimeout(() => {
      cleanUp()
      reject(new Error(`Timed out after ${timeoutMs} ms waiting for ${describe()}`))
    }, timeoutMs)
    emitter.on(event, runCheck)
    runCheck()
  })
}
