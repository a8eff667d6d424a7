import type { ChangedKeys, ChangeFeed } from '../../db/index.ts'

/** Notifies followers that the apps a user sees may have changed: an app, or the installs or memberships of the user. */
export class AppChanges {
  readonly #listeners = new Map<string, Set<() => void>>()

  constructor(changes: ChangeFeed) {
    changes.on('apps', () => this.#notify('all'))
    changes.on('user_apps', (userIds) => this.#notify(userIds))
  }

  /** @returns removes the listener */
  on(userId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(userId) ?? new Set()
    this.#listeners.set(userId, listeners)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(userId) === listeners) this.#listeners.delete(userId)
    }
  }

  #notify(userIds: ChangedKeys): void {
    for (const userId of userIds === 'all' ? this.#listeners.keys() : userIds)
      for (const listener of this.#listeners.get(userId) ?? []) listener()
  }
}
