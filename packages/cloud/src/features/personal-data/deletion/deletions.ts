import type { Logger } from 'pino'
import {
  type AccountClaims,
  hashEmail,
  type NewHolder,
  type User,
  type UserStore,
} from '../../../identity/index.ts'
import { PeriodicTask } from '../../../jobs/index.ts'
import type { DeletionStep, UserRef } from '../../../personal-data.ts'
import type { Clock } from '../../../time/index.ts'
import type { DeletionStore } from './deletion-store.ts'

/** Interval between looking for deletions that failed or were interrupted. */
const RETRY_INTERVAL_MS = 60_000

export interface DeletionsDeps {
  readonly store: DeletionStore
  readonly users: UserStore
  /** Run in this order, before the user's row is deleted. */
  readonly steps: readonly DeletionStep[]
  /** Key of the e-mail hash that is stored for a deleted user. */
  readonly secret: string
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Deletes accounts (decision A5), and gives those of unconfirmed addresses to new holders (TRU-2). The beginning of a deletion is stored and every step is idempotent, so that any
 * process can complete a deletion that failed or was interrupted.
 */
export class Deletions implements AccountClaims {
  readonly #deps: DeletionsDeps
  readonly #running = new Map<string, Promise<void>>()
  readonly #retries: PeriodicTask

  constructor(deps: DeletionsDeps) {
    this.#deps = deps
    const { clock, log } = deps
    this.#retries = new PeriodicTask({
      clock,
      everyMs: RETRY_INTERVAL_MS,
      run: () => this.#resumeAll(),
      failed: (err) => log.error({ err }, 'account: unfinished deletions failed, will be retried'),
    })
  }

  get steps(): readonly DeletionStep[] {
    return this.#deps.steps
  }

  /** Resumes interrupted deletions. */
  start(countFailure?: () => void): void {
    this.#retries.start(countFailure)
  }

  /** Starts no further deletions. Resolves when the current ones have ended. */
  async stop(): Promise<void> {
    await this.#retries.stop()
    await Promise.allSettled(this.#running.values())
  }

  /** Returns whether a user is the only administrator, who cannot be deleted. */
  isLastAdministrator(userId: string): Promise<boolean> {
    return this.#deps.store.isLastAdministrator(userId)
  }

  /** Resolves when no interrupted deletion is being resumed. */
  async idle(): Promise<void> {
    await this.#retries.idle()
  }

  /**
   * Revokes the user's tokens, then deletes the account and all its data.
   * @throws LastAdministrator; Error if a step fails, and the deletion is then retried in the background
   */
  async delete(user: UserRef): Promise<void> {
    const { store, clock } = this.#deps
    if (await store.begin(user.id, clock.now())) await this.#runOnce(user)
  }

  async claim(userId: string, holder: NewHolder = {}): Promise<User | undefined> {
    const { store, users, clock } = this.#deps
    const email = await store.beginClaim(userId, holder, clock.now())
    if (email === undefined) return undefined
    await this.#runOnce({ id: userId, email })
    return users.findByEmail(email)
  }

  async #resumeAll(): Promise<void> {
    const errors: unknown[] = []
    for (const user of await this.#deps.store.listUnfinished()) {
      await this.#runOnce(user).catch((error: unknown) => errors.push(error))
    }
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} deletions failed`)
  }

  /** Runs the deletion of a user; concurrent callers share one run. */
  #runOnce(user: UserRef): Promise<void> {
    let run = this.#running.get(user.id)
    if (run === undefined) {
      run = this.#run(user).finally(() => this.#running.delete(user.id))
      this.#running.set(user.id, run)
    }
    return run
  }

  async #run({ id, email }: UserRef): Promise<void> {
    const { steps, users, secret, clock, log } = this.#deps
    const user = await users.findById(id)
    if (user === undefined) return
    const ownsAddress = user.isEmailVerified
    for (const step of steps) {
      try {
        await step.run({ id, email, ownsAddress })
      } catch (cause) {
        throw new Error(`Deletion step ${step.name} failed`, { cause })
      }
    }
    await users.remove(id, ownsAddress ? hashEmail(email, secret) : undefined, clock.now())
    log.info('account: deleted')
  }
}
