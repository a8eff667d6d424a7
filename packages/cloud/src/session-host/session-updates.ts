import { closeFrames } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import { type ChangedKeys, type ChangeFeed, inBatches } from '../db/index.ts'
import type { User, UserStore } from '../identity/index.ts'
import { type Clock, pause } from '../time/index.ts'
import type { AppDirectory } from './collaborators.ts'
import type { HostedSession, Sessions } from './sessions.ts'

/** Time after which changed rows that could not be read are read again. */
const RETRY_MS = 1_000

export interface SessionUpdatesDeps {
  readonly clock: Clock
  readonly changes: ChangeFeed
  readonly sessions: Sessions
  readonly users: UserStore
  readonly apps: Pick<AppDirectory, 'findByIds' | 'findByPackages'>
  readonly log: Logger
}

/** Ids of changed rows that have not been processed. */
class ChangedIds {
  #ids: Set<string> | 'all' = new Set()

  get isEmpty(): boolean {
    return this.#ids !== 'all' && this.#ids.size === 0
  }

  add(keys: ChangedKeys): void {
    if (keys === 'all') this.#ids = 'all'
    else if (this.#ids !== 'all') for (const key of keys) this.#ids.add(key)
  }

  /** Returns the ids and forgets them. */
  take(): ReadonlySet<string> | 'all' {
    const taken = this.#ids
    this.#ids = new Set()
    return taken
  }
}

/**
 * Applies changes of rows to the live sessions of this node, whichever process made them: a session gets the new
 * definition of its apps, and ends once its user is deleted, suspended or logged out.
 */
export class SessionUpdates {
  readonly #deps: SessionUpdatesDeps
  readonly #apps = new ChangedIds()
  readonly #users = new ChangedIds()
  #running: Promise<void> | undefined

  constructor(deps: SessionUpdatesDeps) {
    this.#deps = deps
    const { changes, sessions } = deps
    changes.on('apps', (keys) => this.#add(this.#apps, keys))
    changes.on('users', (keys) => this.#add(this.#users, keys))
    // The row may have changed while the session was being opened, and was not live.
    sessions.onOpened = (userId) => this.#add(this.#users, new Set([userId]))
  }

  /** Resolves once all changes that were delivered are applied. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running
  }

  #add(changed: ChangedIds, keys: ChangedKeys): void {
    if (this.#deps.sessions.size === 0) return
    changed.add(keys)
    this.#running ??= this.#applyAll()
  }

  async #applyAll(): Promise<void> {
    // Listeners of the feed run before the reader that called it, which must not wait for sessions.
    await nextTurn()
    while (!this.#apps.isEmpty || !this.#users.isEmpty) {
      const [apps, users] = [this.#apps.take(), this.#users.take()]
      try {
        await this.#applyApps(apps)
        await this.#applyUsers(users)
      } catch (err) {
        const { clock, log, sessions } = this.#deps
        log.error({ err }, 'session: changed rows could not be applied')
        if (sessions.size === 0) continue
        this.#apps.add(apps)
        this.#users.add(users)
        await pause(clock, RETRY_MS)
      }
    }
    // In the same turn as the check above, so that no change arrives in between.
    this.#running = undefined
  }

  async #applyApps(changed: ReadonlySet<string> | 'all'): Promise<void> {
    const { sessions, apps } = this.#deps
    const [keys, find] =
      changed === 'all' ? [sessions.packageNames(), apps.findByPackages] : [[...changed], apps.findByIds]
    for (const batch of inBatches(keys)) {
      for (const app of await find(batch)) {
        sessions.updateApp(app)
        await nextTurn()
      }
    }
  }

  async #applyUsers(changed: ReadonlySet<string> | 'all'): Promise<void> {
    const { sessions, users } = this.#deps
    const hosted = changed === 'all' ? [...sessions.hosted()] : sessions.hostedFor(changed)
    for (const batch of inBatches(hosted)) {
      const found = await users.findByIds(batch.map(({ user }) => user.id))
      const byId = new Map(found.map((user) => [user.id, user]))
      for (const session of batch) endIfRevoked(session, byId.get(session.user.id))
      await nextTurn()
    }
  }
}

function endIfRevoked({ user, session }: HostedSession, current: User | undefined): void {
  if (current === undefined) session.end(closeFrames.ACCOUNT_DELETED)
  else if (current.suspendedAt !== undefined || current.tokensValidFrom > user.tokensValidFrom)
    session.end(closeFrames.LOGGED_OUT)
}

function nextTurn(): Promise<void> {
  return new Promise(setImmediate)
}
