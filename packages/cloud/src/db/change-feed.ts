import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/**
 * Topic of a change log entry. The key is the id of the changed row; for `user_apps` (installs, memberships and last
 * uses of apps) it is the id of the user. Of `api_keys` only deletions are logged. `user_settings` has the ids of users whose
 * session could not be told otherwise that their settings changed, `gallery` those of users whose photos or recordings changed.
 */
export type ChangeTopic =
  | 'apps'
  | 'app_health'
  | 'organizations'
  | 'users'
  | 'user_apps'
  | 'user_access'
  | 'api_keys'
  | 'user_settings'
  | 'speech_models'
  | 'gallery'

/** Keys of a topic that changed, or `all` if some changes may have been missed. */
export type ChangedKeys = ReadonlySet<string> | 'all'

/**
 * Notifies caches of changed rows, in this process and others. A reader of cached rows calls `catchUp` first;
 * afterwards every change that was committed before the call has been delivered, except changes of other processes in the
 * last milliseconds.
 */
export interface ChangeFeed {
  /** Adds a listener, which is called synchronously by `catchUp` and in the background. It must not throw. */
  on(topic: ChangeTopic, listener: (keys: ChangedKeys) => void): void
  /** Delivers pending changes. Returns undefined if there are none and nothing has to be awaited. */
  catchUp(): Promise<void> | undefined
  close(): Promise<void>
}

/** A changed row, as the log contains it. An empty key stands for all rows of the topic. */
export interface Change {
  readonly topic: string
  readonly key: string
}

/** The listeners of a change feed. */
export class ChangeListeners {
  readonly #listeners = new Map<string, ((keys: ChangedKeys) => void)[]>()

  add(topic: ChangeTopic, listener: (keys: ChangedKeys) => void): void {
    const listeners = this.#listeners.get(topic)
    if (listeners) listeners.push(listener)
    else this.#listeners.set(topic, [listener])
  }

  /** Calls each listener once with all keys of its topic. */
  deliver(changes: readonly Change[]): void {
    for (const [topic, rows] of Map.groupBy(changes, (change) => change.topic)) {
      const keys = new Set(rows.map(({ key }) => key))
      this.#notify(topic, keys.has('') ? 'all' : keys)
    }
  }

  /** Notifies every listener that it may have missed changes. */
  deliverAll(): void {
    for (const topic of this.#listeners.keys()) this.#notify(topic, 'all')
  }

  #notify(topic: string, keys: ChangedKeys): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener(keys)
  }
}

/** The channel of PostgreSQL on which new entries of the log are announced. */
export const CHANGE_CHANNEL = 'glasses_cloud_changes'

/** Time after which entries are removed from the change log. */
const CHANGE_RETENTION_MS = 60 * 60_000

/** A reader that has been idle longer than this may have missed removed entries. */
export const MAX_IDLE_MS = CHANGE_RETENTION_MS / 2

/**
 * Removes entries of the change log that every reader has had time to read.
 * @param now epoch ms
 */
export async function removeOldChanges(db: Kysely<Schema>, now: number): Promise<void> {
  await db
    .deleteFrom('changes')
    .where('changed_at', '<', now - CHANGE_RETENTION_MS)
    .execute()
}
