import type { LocationTier } from '@glasses-cloud/contract'
import type { Timer } from '../clock.ts'
import type { SessionContext } from './feature.ts'

/** An app's question where the wearer is, while the phone finds out. */
interface Poll {
  readonly packageName: string
  /** The app's own name for the question. */
  readonly correlationId: string
  readonly tier: LocationTier
  readonly deadline: Timer
}

/** Questions an app may have open at a time. */
const MAX_POLLS = 10

/** Takes questions of apps to the phone, and remembers them until they are answered or it is too late. */
export class LocationPolls {
  readonly #context: SessionContext
  readonly #failed: (packageName: string, correlationId: string, reason: string) => void
  /** By the name the phone knows. */
  readonly #open = new Map<string, Poll>()

  /** @param failed no answer will come */
  constructor(
    context: SessionContext,
    failed: (packageName: string, correlationId: string, reason: string) => void,
  ) {
    this.#context = context
    this.#failed = failed
  }

  /** Asks the phone. A question asked twice is one. */
  ask(packageName: string, correlationId: string, tier: LocationTier): void {
    const { clock, timing, isGlassesSocketOpen, createId } = this.#context
    const own = [...this.#open.values()].filter((poll) => poll.packageName === packageName)
    if (own.some((poll) => poll.correlationId === correlationId)) return
    if (own.length >= MAX_POLLS)
      return this.#failed(packageName, correlationId, `The app waits for ${MAX_POLLS} positions already`)
    if (!isGlassesSocketOpen())
      return this.#failed(packageName, correlationId, 'The phone is not connected to the cloud')
    // Two apps may have chosen the same name; neither may get the other's answer.
    const id = this.#open.has(correlationId) ? `${correlationId}_${createId()}` : correlationId
    const deadline = clock.after(timing.locationPollTimeoutMs, () => {
      this.#open.delete(id)
      this.#failed(packageName, correlationId, 'The phone did not say in time where the wearer is')
    })
    const poll = { packageName, correlationId, tier, deadline }
    this.#open.set(id, poll)
    this.#send(id, poll)
  }

  /** A phone that is back may never have heard the questions. */
  askAgain(): void {
    for (const [id, poll] of this.#open) this.#send(id, poll)
  }

  /** Takes the question an answer belongs to, once. */
  settle(id: string): Pick<Poll, 'packageName' | 'correlationId'> | undefined {
    const poll = this.#open.get(id)
    poll?.deadline.cancel()
    this.#open.delete(id)
    return poll
  }

  /** The app waits for nothing any more, or not for the answer to that one question. */
  drop(packageName: string, correlationId?: string): void {
    for (const [id, poll] of this.#open) {
      const isMeant = correlationId === undefined || poll.correlationId === correlationId
      if (poll.packageName === packageName && isMeant) this.settle(id)
    }
  }

  /** Nobody waits for anything any more. */
  end(): void {
    this.#open.clear()
  }

  #send(correlationId: string, { tier }: Poll): void {
    const { sendToGlasses, timestamp } = this.#context
    sendToGlasses({ type: 'request_single_location', accuracy: tier, correlationId, timestamp: timestamp() })
  }
}
