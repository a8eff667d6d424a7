import { DatabaseSync, type StatementSync } from 'node:sqlite'
import {
  type Change,
  type ChangedKeys,
  type ChangeFeed,
  ChangeListeners,
  type ChangeTopic,
  MAX_IDLE_MS,
} from './change-feed.ts'

/**
 * Change feed on a SQLite file. It reads through a separate connection, which sees committed rows only and whose
 * `data_version` changes with every commit of any other connection, in this process or another. A check takes about
 * two microseconds, so every `catchUp` runs one and delivers the writes of other processes immediately.
 */
export class SqliteChangeFeed implements ChangeFeed {
  readonly #connection: DatabaseSync
  readonly #version: StatementSync
  readonly #changesAfter: StatementSync
  readonly #listeners = new ChangeListeners()
  readonly #monotonicNow: () => number
  #seenVersion: number
  #lastId: number
  #checkedAt: number

  /**
   * @param file the database, with its tables up to date
   * @param monotonicNow milliseconds that only increase
   */
  constructor(file: string, monotonicNow: () => number = () => performance.now()) {
    this.#connection = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
    this.#version = this.#connection.prepare('pragma data_version')
    this.#changesAfter = this.#connection.prepare(
      'select id, topic, key from changes where id > ? order by id',
    )
    this.#monotonicNow = monotonicNow
    this.#checkedAt = monotonicNow()
    this.#seenVersion = this.#dataVersion()
    this.#lastId = this.#newestId()
  }

  on(topic: ChangeTopic, listener: (keys: ChangedKeys) => void): void {
    this.#listeners.add(topic, listener)
  }

  catchUp(): undefined {
    const now = this.#monotonicNow()
    const idleMs = now - this.#checkedAt
    this.#checkedAt = now
    const version = this.#dataVersion()
    if (idleMs > MAX_IDLE_MS) {
      this.#seenVersion = version
      this.#lastId = this.#newestId()
      this.#listeners.deliverAll()
      return
    }
    if (version === this.#seenVersion) return
    this.#seenVersion = version
    const rows = this.#changesAfter.all(this.#lastId) as unknown as (Change & { readonly id: number })[]
    const last = rows.at(-1)
    if (last === undefined) return
    this.#lastId = last.id
    this.#listeners.deliver(rows)
  }

  async close(): Promise<void> {
    if (this.#connection.isOpen) this.#connection.close()
  }

  #dataVersion(): number {
    return (this.#version.get() as { data_version: number }).data_version
  }

  #newestId(): number {
    const row = this.#connection.prepare('select max(id) as id from changes').get() as { id: number | null }
    return row.id ?? 0
  }
}
