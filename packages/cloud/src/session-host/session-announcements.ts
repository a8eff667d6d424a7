import type { Bus, Subscription } from '../bus/index.ts'

const EMPTY = Buffer.alloc(0)

/**
 * Announces to all nodes that the live session of a user has changed. An announcement contains no state: who receives it
 * reads the session. Announcements are lost while the bus is disconnected, so readers look again from time to time.
 */
export class SessionAnnouncements {
  readonly #bus: Bus

  constructor(bus: Bus) {
    this.#bus = bus
  }

  /** Reports that the session started, ended, or has another overview. */
  changed(userId: string): void {
    this.#bus.publish(channelOf(userId), EMPTY)
  }

  /** Calls the listener after each change, whichever node hosts the session. */
  subscribe(userId: string, listener: () => void): Subscription {
    return this.#bus.subscribe(channelOf(userId), () => listener())
  }
}

const channelOf = (userId: string) => `session-changed:${userId}`
