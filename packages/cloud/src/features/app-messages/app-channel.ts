import type { CloudToApp } from '@glasses-cloud/contract'
import type { SharedMessage } from '../../session/index.ts'
import { type ChannelMember, deliveryCost, type FanOut } from './fan-out.ts'
import type { Room } from './room.ts'

/** Bytes per second that a sender's messages may cost, and the most that it can save up (A2A-31). */
const BYTES_PER_SECOND = 8 * 1024 * 1024
const MAX_BYTES = 16 * 1024 * 1024

/**
 * The budget of one sender. Any cost is accepted while the balance is positive, so that a message to very many users can
 * be sent at all; the balance may become negative and has to recover before the next one.
 */
class ByteBudget {
  #balance = MAX_BYTES
  #updatedAt: number

  /** @param now milliseconds of the monotonic clock */
  constructor(now: number) {
    this.#updatedAt = now
  }

  isExhausted(now: number): boolean {
    this.#refill(now)
    return this.#balance <= 0
  }

  /** Whether nothing was spent that has not been refilled. */
  isFull(now: number): boolean {
    this.#refill(now)
    return this.#balance === MAX_BYTES
  }

  spend(bytes: number, now: number): void {
    this.#refill(now)
    this.#balance -= bytes
  }

  #refill(now: number): void {
    const elapsed = now - this.#updatedAt
    this.#balance = Math.min(MAX_BYTES, this.#balance + (elapsed * BYTES_PER_SECOND) / 1_000)
    this.#updatedAt = now
  }
}

/** The members and rooms of one app. */
export class AppChannel {
  readonly rooms = new Map<string, Room>()
  readonly #packageName: string
  readonly #fanOut: FanOut
  readonly #monotonicNow: () => number
  /** By e-mail address, longest-running first; a session that replaces another one keeps its position. */
  readonly #members = new Map<string, ChannelMember>()
  /** By e-mail address. A budget outlives its member until it is full again, so that a restart does not refill it. */
  readonly #budgets = new Map<string, ByteBudget>()

  constructor(packageName: string, fanOut: FanOut, monotonicNow: () => number) {
    this.#packageName = packageName
    this.#fanOut = fanOut
    this.#monotonicNow = monotonicNow
  }

  get members(): Iterable<ChannelMember> {
    return this.#members.values()
  }

  get isEmpty(): boolean {
    return this.#members.size === 0
  }

  member(userEmail: string): ChannelMember | undefined {
    return this.#members.get(userEmail)
  }

  add(member: ChannelMember): void {
    this.#members.set(member.userEmail, member)
  }

  /** Removes the member unless a newer session of the user has replaced it. */
  remove(member: ChannelMember): void {
    const { userEmail } = member
    if (this.#members.get(userEmail) === member) this.#members.delete(userEmail)
    const now = this.#monotonicNow()
    for (const [email, budget] of this.#budgets)
      if (!this.#members.has(email) && budget.isFull(now)) this.#budgets.delete(email)
  }

  closeRooms(): void {
    for (const room of this.rooms.values()) room.close()
    this.rooms.clear()
  }

  /** Whether the member has to wait before it may send further messages (A2A-31). */
  isOverBudget({ userEmail }: ChannelMember): boolean {
    if (this.#fanOut.isOverloaded(this.#packageName)) return true
    return this.#budgets.get(userEmail)?.isExhausted(this.#monotonicNow()) ?? false
  }

  /**
   * Sends a message to the recipients, in the order of all messages of this channel.
   * @param payer the member whose budget is charged
   * @param delivered called for each recipient with whether the message was sent
   */
  send(
    payer: ChannelMember,
    recipients: readonly ChannelMember[],
    message: SharedMessage<CloudToApp>,
    delivered?: (wasSent: boolean) => void,
  ): void {
    if (recipients.length === 0) return
    const now = this.#monotonicNow()
    let budget = this.#budgets.get(payer.userEmail)
    if (!budget) {
      budget = new ByteBudget(now)
      this.#budgets.set(payer.userEmail, budget)
    }
    budget.spend(deliveryCost(message, recipients.length), now)
    this.#fanOut.send(this.#packageName, recipients, message, delivered)
  }
}
