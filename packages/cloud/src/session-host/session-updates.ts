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
  readonly apps: Pick<AppDirectory, 'namesOf'>
  readonly log: Logger
}

const NONE: ReadonlySet<string> = new Set()

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
 * definition of its apps, with the permissions that they have for its user, and the settings of its user that a node could not
 * tell it, and ends once its user is deleted, suspended or logged out.
 */
export class SessionUpdates {
  readonly #deps: SessionUpdatesDeps
  readonly #apps = new ChangedIds()
  readonly #users = new ChangedIds()
  /** Users whose apps may have other permissions. */
  readonly #access = new ChangedIds()
  /** Users whose settings changed while this node could not be reached. */
  readonly #settings = new ChangedIds()
  #running: Promise<void> | undefined

  constructor(deps: SessionUpdatesDeps) {
    this.#deps = deps
    const { changes, sessions } = deps
    changes.on('apps', (keys) => this.#add(this.#apps, keys))
    changes.on('users', (keys) => this.#add(this.#users, keys))
    changes.on('user_access', (keys) => this.#add(this.#access, keys))
    changes.on('user_settings', (keys) => this.#add(this.#settings, keys))
    // The row may have changed while the session was being opened, and was not live.
    sessions.onOpened = (userId) => {
      this.#add(this.#users, new Set([userId]))
      this.#add(this.#access, new Set([userId]))
    }
    sessions.onAppAttached = (userId) => this.#add(this.#access, new Set([userId]))
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
    const kinds = [this.#apps, this.#users, this.#access, this.#settings] as const
    while (kinds.some((ids) => !ids.isEmpty)) {
      const taken = kinds.map((ids) => ids.take())
      const [apps = NONE, users = NONE, access = NONE, settings = NONE] = taken
      try {
        await this.#applyApps(apps)
        await this.#applyUsers(users)
        await this.#applyAccess(access)
        await this.#applySettings(settings)
      } catch (err) {
        const { clock, log, sessions } = this.#deps
        log.error({ err }, 'session: changed rows could not be applied')
        if (sessions.size === 0) continue
        for (const [index, ids] of kinds.entries()) ids.add(taken[index] ?? NONE)
        await pause(clock, RETRY_MS)
      }
    }
    // In the same turn as the check above, so that no change arrives in between.
    this.#running = undefined
  }

  async #applyApps(changed: ReadonlySet<string> | 'all'): Promise<void> {
    const { sessions, apps } = this.#deps
    if (changed === 'all') return await this.#applyAccess('all')
    for (const batch of inBatches([...changed])) {
      for (const packageName of await apps.namesOf(batch)) {
        await sessions.appChanged(packageName)
        await nextTurn()
      }
    }
  }

  async #applyAccess(changed: ReadonlySet<string> | 'all'): Promise<void> {
    const { sessions } = this.#deps
    const hosted = changed === 'all' ? [...sessions.hosted()] : sessions.hostedFor(changed)
    for (const { user } of hosted) {
      await sessions.accessChanged(user.id)
      await nextTurn()
    }
  }

  async #applySettings(changed: ReadonlySet<string> | 'all'): Promise<void> {
    const { sessions } = this.#deps
    const hosted = changed === 'all' ? [...sessions.hosted()] : sessions.hostedFor(changed)
    for (const { session } of hosted) await session.run('osSettingsChanged', [])
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
