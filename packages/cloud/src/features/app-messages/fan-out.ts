import type { CloudToApp } from '@glasses-cloud/contract'
import type { AppMember, SharedMessage } from '../../session/index.ts'

/** A member of a channel, on this node or another. */
export interface ChannelMember extends Omit<AppMember, 'deliver'> {
  /**
   * @param isConfirmed whether the result must be certain; otherwise a member on another node counts as reached
   * @returns false if the message was not sent
   */
  deliver(message: SharedMessage<CloudToApp>, isConfirmed: boolean): boolean | Promise<boolean>
}

/** Bytes that are sent before the event loop serves other connections. */
const SLICE_BYTES = 512 * 1024

/** Minimum cost of a delivery: writing to a socket takes time even for a short message. */
const MIN_DELIVERY_BYTES = 2 * 1024

/** Runs a callback after the event loop has served pending I/O. */
export type Schedule = (run: () => void) => void

/** The deliveries that one channel may have queued, in bytes. */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024

interface Task {
  readonly recipients: readonly ChannelMember[]
  readonly message: SharedMessage<CloudToApp>
  /** Index of the next recipient. */
  next: number
  /** Called after each delivery. */
  readonly delivered: ((wasSent: boolean) => void) | undefined
}

interface Queue {
  readonly tasks: Task[]
  /** Cost of the remaining deliveries. */
  bytes: number
}

/** Returns the cost of a message to a number of recipients, in bytes (A2A-31). */
export function deliveryCost(message: SharedMessage, recipients: number): number {
  return Math.max(message.byteLength, MIN_DELIVERY_BYTES) * recipients
}

/**
 * Sends messages to many members in slices (A2A-32). Up to one slice is sent synchronously; the rest is queued, and
 * between two slices the event loop serves other connections. Messages of one channel are sent in order; channels take
 * turns.
 */
export class FanOut {
  readonly #schedule: Schedule
  /** Bytes that may be sent until the next turn of the event loop. */
  #credit = SLICE_BYTES
  #isScheduled = false
  /** Unfinished tasks by channel; the channel whose turn is next is the first. */
  readonly #queues = new Map<string, Queue>()

  constructor(schedule: Schedule) {
    this.#schedule = schedule
  }

  /**
   * Sends a message to each recipient, after everything that was sent to the channel before.
   * @param delivered called for each recipient with the result of `deliver`
   */
  send(
    channel: string,
    recipients: readonly ChannelMember[],
    message: SharedMessage<CloudToApp>,
    delivered?: (wasSent: boolean) => void,
  ): void {
    const task: Task = { recipients, message, next: 0, delivered }
    const queue = this.#queues.get(channel)
    if (queue) {
      queue.tasks.push(task)
      queue.bytes += remainingCost(task)
    } else if (!this.#run(task)) this.#queues.set(channel, { tasks: [task], bytes: remainingCost(task) })
  }

  /** Whether the channel has more deliveries queued than it may. */
  isOverloaded(channel: string): boolean {
    return (this.#queues.get(channel)?.bytes ?? 0) > MAX_QUEUED_BYTES
  }

  /** Sends all queued deliveries. */
  flush(): void {
    for (const { tasks } of this.#queues.values()) {
      for (const task of tasks) while (task.next < task.recipients.length) this.#deliverNext(task)
    }
    this.#queues.clear()
  }

  /** Delivers until the credit is used up. @returns whether the task is finished */
  #run(task: Task): boolean {
    while (task.next < task.recipients.length) {
      if (this.#credit <= 0) return false
      this.#deliverNext(task)
    }
    return true
  }

  #deliverNext(task: Task): void {
    const member = task.recipients[task.next]
    task.next += 1
    if (!member) return
    const { delivered } = task
    const result = member.deliver(task.message, delivered !== undefined)
    this.#spend(deliveryCost(task.message, 1))
    if (typeof result === 'boolean') delivered?.(result)
    else
      result.then(
        (wasSent) => delivered?.(wasSent),
        () => delivered?.(false),
      )
  }

  #spend(bytes: number): void {
    this.#credit -= bytes
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#schedule(() => this.#startSlice())
  }

  #startSlice(): void {
    this.#isScheduled = false
    this.#credit = SLICE_BYTES
    for (const [channel, queue] of this.#queues) {
      if (this.#credit <= 0) return
      const { tasks } = queue
      while (tasks[0] && this.#run(tasks[0])) tasks.shift()
      this.#queues.delete(channel)
      queue.bytes = tasks.reduce((bytes, task) => bytes + remainingCost(task), 0)
      if (tasks.length > 0) this.#queues.set(channel, queue)
    }
  }
}

function remainingCost({ message, recipients, next }: Task): number {
  return deliveryCost(message, recipients.length - next)
}
