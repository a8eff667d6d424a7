import { DatabaseSync, type StatementSync } from 'node:sqlite'
import {
  type Change,
  type ChangedKeys,
  type ChangeFeed,
  ChangeListeners,
  type ChangeTopic,
  MAX_IDLE_MS,
} from './change-feed.ts'

const POLL_INTERVAL_MS = 500

/** Time after which a write of another process is delivered at the latest. */
const CHECK_INTERVAL_MS = 5

/**
 * Change feed on a SQLite file. It reads through a separate connection, which sees committed rows only and whose
 * `data_version` changes with every commit of any other connection, in this process or another. A check locks the file,
 * which takes up to 30 µs on a busy machine, so a `catchUp` runs one after a write of this process, and otherwise one
 * every few milliseconds, for the writes of other processes. A timer calls it as well, so that live sessions follow
 * changes without a reader.
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
  readonly #timer: NodeJS.Timeout
  /** Whether this process may have written since the last check. */
  #hasWritten = false

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
    this.#timer = setInterval(() => this.#poll(), POLL_INTERVAL_MS)
    this.#timer.unref()
  }

  on(topic: ChangeTopic, listener: (keys: ChangedKeys) => void): void {
    this.#listeners.add(topic, listener)
  }

  /** Records that this process may have written rows: the next `catchUp` delivers them. */
  recordWrite(): void {
    this.#hasWritten = true
  }

  catchUp(): undefined {
    const now = this.#monotonicNow()
    const idleMs = now - this.#checkedAt
    if (!this.#hasWritten && idleMs < CHECK_INTERVAL_MS) return
    this.#hasWritten = false
    this.#checkedAt = now
    const version = this.#dataVersion()
    if (idleMs > MAX_IDLE_MS) {
      this.#seenVersion = version
      this.#lastId = this.#newestId()
      this.#listeners.deliverAll()
      return
    }
    if (version === this.#seenVersion) return
    const rows = this.#changesAfter.all(this.#lastId) as unknown as (Change & { readonly id: number })[]
    // Only now: a version whose rows could not be read is read again.
    this.#seenVersion = version
    const last = rows.at(-1)
    if (last === undefined) return
    this.#lastId = last.id
    this.#listeners.deliver(rows)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    if (this.#connection.isOpen) this.#connection.close()
  }

  #poll(): void {
    try {
      this.catchUp()
    } catch {
      // The database is locked or gone; the next reader reports it.
    }
  }

  #dataVersion(): number {
    return (this.#version.get() as { data_version: number }).data_version
  }

  #newestId(): number {
    const row = this.#connection.prepare('select max(id) as id from changes').get() as { id: number | null }
    return row.id ?? 0
  }
}
