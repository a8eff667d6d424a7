import type { Logger } from 'pino'
import { hashEmail, type UserStore } from '../../../identity/index.ts'
import { PeriodicTask } from '../../../jobs/index.ts'
import type { DeletionStep, UserRef } from '../../../personal-data.ts'
import type { Clock } from '../../../session/index.ts'
import type { DeletionStore } from './deletion-store.ts'

/** How often deletions are looked for that failed or whose process died, in ms. */
const retryMs = 60_000

/** What deletions are made with. */
export interface DeletionsParts {
  readonly store: DeletionStore
  readonly users: UserStore
  /** Run in this order; the user's row goes after the last. */
  readonly steps: readonly DeletionStep[]
  /** Key of the hash that a deleted user leaves behind. */
  readonly secret: string
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Deletes accounts (decision A5). That a deletion began is a row, and every step may be run again; so what a failure
 * or the death of the process interrupts is finished by whichever process looks next.
 */
export class Deletions {
  readonly #parts: DeletionsParts
  readonly #underway = new Map<string, Promise<void>>()
  readonly #unfinished: PeriodicTask

  constructor(parts: DeletionsParts) {
    this.#parts = parts
    const { clock, log } = parts
    this.#unfinished = new PeriodicTask({
      clock,
      everyMs: retryMs,
      run: () => this.#finishAll(),
      failed: (err) => log.error({ err }, 'unfinished deletions of accounts could not be read'),
    })
  }

  /** What a deletion consists of. */
  get steps(): readonly DeletionStep[] {
    return this.#parts.steps
  }

  /** Takes up what an earlier process left. */
  start(): void {
    this.#unfinished.wake()
  }

  /** Begins no more deletions on its own, and resolves when those under way have ended. */
  async stop(): Promise<void> {
    await this.#unfinished.stop()
    await Promise.allSettled(this.#underway.values())
  }

  /** Resolves when what was left has been gone through. */
  async settled(): Promise<void> {
    await this.#unfinished.idle()
  }

  /**
   * Deletes an account with everything in it. From the beginning no token opens it any more.
   * @throws when a step fails; the deletion is then finished in the background
   */
  async delete(user: UserRef): Promise<void> {
    const { store, clock } = this.#parts
    if (await store.begin(user.id, clock.now())) await this.#finish(user)
  }

  async #finishAll(): Promise<void> {
    for (const user of await this.#parts.store.unfinished()) {
      await this.#finish(user).catch((err: unknown) =>
        this.#parts.log.error({ err }, 'a deletion of an account failed and is tried again'),
      )
    }
  }

  /** Callers at the same time wait for the same run. */
  #finish(user: UserRef): Promise<void> {
    let run = this.#underway.get(user.id)
    if (run === undefined) {
      run = this.#run(user).finally(() => this.#underway.delete(user.id))
      this.#underway.set(user.id, run)
    }
    return run
  }

  async #run({ id, email }: UserRef): Promise<void> {
    const { steps, users, secret, clock, log } = this.#parts
    for (const step of steps) {
      try {
        await step.run({ id, email })
      } catch (cause) {
        throw new Error(`the step ${step.name} failed`, { cause })
      }
    }
    await users.remove(id, hashEmail(email, secret), clock.now())
    log.info('an account was deleted')
  }
}
