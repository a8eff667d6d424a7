import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import {
  CHANGE_CHANNEL,
  type Change,
  type ChangedKeys,
  type ChangeFeed,
  ChangeListeners,
  type ChangeTopic,
  MAX_IDLE_MS,
} from './change-feed.ts'
import type { DatabaseLog } from './postgres.ts'
import type { Schema } from './schema.ts'

/** How often the listening connection is checked, and how long it may take to respond. */
const PING_INTERVAL_MS = 5_000
const PING_TIMEOUT_MS = 2_000

/** How often the log is read while there is no connection that listens: sessions follow it although nobody asks. */
const POLL_MS = 500

const FIRST_RETRY_MS = 100
const MAX_RETRY_MS = 5_000

/** Collaborators of the feed. */
export interface PostgresChangeFeedDeps {
  /** `postgres://…` of the database, for the connection that listens; undefined: there is none, because of a pooler. */
  readonly listenUrl: string | undefined
  readonly db: Kysely<Schema>
  readonly log?: DatabaseLog | undefined
  /** Milliseconds that only increase. */
  readonly monotonicNow?: () => number
}

/**
 * Change feed on PostgreSQL. A notification tells that the log has new entries; while the connection that listens is
 * lost, every `catchUp` reads the log instead. Without such a connection, it is also read twice a second.
 *
 * Entries are read by transaction id: all those of transactions that were still running at the last reading are read
 * again, because transactions commit in another order than they insert.
 */
export class PostgresChangeFeed implements ChangeFeed {
  readonly #deps: PostgresChangeFeedDeps
  readonly #listeners = new ChangeListeners()
  readonly #closing = new AbortController()
  readonly #monotonicNow: () => number
  #client: pg.Client | undefined
  /** Whether there was a connection that listens before. */
  #hasConnected = false
  /** Whether notifications arrive. */
  #listening = false
  /** Whether the log may contain entries that have not been read. */
  #stale = true
  /** The oldest transaction that was running at the last reading; undefined before the first. */
  #since: string | undefined
  /**
   * Whether rows may have changed without an entry in the log: after a fail-over, the new primary may lack the last
   * transactions of the old one, and its transaction ids may be lower.
   */
  #isUncertain = false
  /** Identifies the server of the last reading. */
  #server: string | undefined
  /** Ids of the entries that the last reading delivered; those of long transactions are read again. */
  #delivered: ReadonlySet<number> = new Set()
  #readAt: number
  /** The reading in progress. */
  #reading: Promise<void> | undefined
  /** The reading that begins after it, for callers that arrived meanwhile. */
  #nextReading: Promise<void> | undefined
  readonly #connected: Promise<void>

  private constructor(deps: PostgresChangeFeedDeps) {
    this.#deps = deps
    this.#monotonicNow = deps.monotonicNow ?? (() => performance.now())
    this.#readAt = this.#monotonicNow()
    const { listenUrl } = deps
    this.#connected = listenUrl === undefined ? this.#poll() : this.#keepListening(listenUrl)
  }

  /** Opens the feed. It does not wait for the connection that listens. */
  static async open(deps: PostgresChangeFeedDeps): Promise<PostgresChangeFeed> {
    const feed = new PostgresChangeFeed(deps)
    await feed.#read()
    return feed
  }

  on(topic: ChangeTopic, listener: (keys: ChangedKeys) => void): void {
    this.#listeners.add(topic, listener)
  }

  /** Records that this process wrote: the next `catchUp` reads the log without waiting for a notification. */
  recordWrite(): void {
    this.#stale = true
  }

  catchUp(): Promise<void> | undefined {
    const isCurrent = this.#listening && !this.#stale && !this.#isOverdue()
    // A reading in progress that began after the last write includes it.
    if (isCurrent) return this.#reading
    if (this.#reading === undefined) return this.#startReading()
    this.#nextReading ??= this.#reading.then(
      () => this.#startReading(),
      () => this.#startReading(),
    )
    return this.#nextReading
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#client?.end().catch(() => {})
    await this.#connected
    await this.#reading?.catch(() => {})
  }

  /** Invalidates everything once the log may have lost entries that were never read. */
  #isOverdue(): boolean {
    return this.#monotonicNow() - this.#readAt > MAX_IDLE_MS
  }

  #startReading(): Promise<void> {
    this.#nextReading = undefined
    this.#reading = this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(): Promise<void> {
    const isIncomplete = this.#isUncertain || this.#isOverdue()
    if (this.#isUncertain) this.#since = undefined
    this.#isUncertain = false
    this.#stale = false
    try {
      const { rows } = await sql<LogRow>`
        select pg_snapshot_xmin(pg_current_snapshot())::text as oldest, changes.id, changes.topic, changes.key,
          extract(epoch from pg_postmaster_start_time())::text as server
        from (select 1) as one
        left join changes on changes.transaction_id >= ${this.#since ?? sql`pg_snapshot_xmax(pg_current_snapshot())`}::xid8`.execute(
        this.#deps.db,
      )
      const server = rows[0]?.server
      // A pooler has connected to another server, which no connection that listens tells.
      if (this.#server !== undefined && server !== this.#server) {
        this.#server = server
        this.#isUncertain = true
        return await this.#read()
      }
      this.#server = server
      const entries = rows.flatMap(toChange)
      this.#since = rows[0]?.oldest ?? this.#since
      this.#readAt = this.#monotonicNow()
      if (isIncomplete) this.#listeners.deliverAll()
      else this.#listeners.deliver(entries.filter(({ id }) => !this.#delivered.has(id)))
      this.#delivered = new Set(entries.map(({ id }) => id))
    } catch (error) {
      this.#stale = true
      this.#isUncertain ||= isIncomplete
      throw error
    }
  }

  /** Reads the log regularly until the feed is closed. */
  async #poll(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await delay(POLL_MS, undefined, { signal }).catch(() => {})
      if (!signal.aborted) this.#catchUpInBackground()
    }
  }

  /** Keeps a connection that listens, reconnecting with backoff until the feed is closed. */
  async #keepListening(url: string): Promise<void> {
    const { signal } = this.#closing
    let retryMs = FIRST_RETRY_MS
    while (!signal.aborted) {
      try {
        await this.#listen(url, () => {
          retryMs = FIRST_RETRY_MS
        })
      } catch (error) {
        if (signal.aborted) return
        this.#deps.log?.warn({ code: (error as { code?: string }).code }, 'change notifications lost')
      }
      this.#listening = false
      // The next reading may already be of another server.
      this.#isUncertain = this.#hasConnected
      await delay(retryMs, undefined, { signal }).catch(() => {})
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)
    }
  }

  /** Listens until the connection is lost. */
  async #listen(url: string, onConnected: () => void): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'glasses-cloud-changes',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    })
    this.#client = client
    const lost = new Promise<void>((resolve, reject) => {
      client.once('end', resolve)
      client.once('error', reject)
    })
    lost.catch(() => {})
    client.on('notification', () => {
      this.#stale = true
      this.#catchUpInBackground()
    })
    try {
      await client.connect()
      await client.query(`listen ${CHANGE_CHANNEL}`)
      // Changes of the time without a connection are in the log, unless the connection is to another server.
      this.#isUncertain = this.#hasConnected
      this.#stale = true
      this.#listening = true
      onConnected()
      if (this.#hasConnected) this.#catchUpInBackground()
      this.#hasConnected = true
      await Promise.race([lost, this.#pingRegularly(client)])
    } finally {
      this.#listening = false
      await client.end().catch(() => {})
    }
  }

  /** Reads the log for listeners that release changed rows even if no reader calls `catchUp`. */
  #catchUpInBackground(): void {
    this.catchUp()?.catch((error: unknown) =>
      this.#deps.log?.warn({ code: (error as { code?: string }).code }, 'the change log could not be read'),
    )
  }

  /** Rejects when the server no longer responds; a lost network does not close a connection by itself. */
  async #pingRegularly(client: pg.Client): Promise<never> {
    const ping = { text: 'select 1', query_timeout: PING_TIMEOUT_MS }
    for (;;) {
      await delay(PING_INTERVAL_MS, undefined, { signal: this.#closing.signal })
      await client.query(ping)
    }
  }
}

/** The oldest running transaction and, if there is one, an entry of the log. */
interface LogRow {
  /** When the server started, which tells it from the one that takes its place. */
  readonly server: string
  readonly oldest: string
  readonly id: number | null
  readonly topic: string | null
  readonly key: string | null
}

function toChange({ id, topic, key }: LogRow): (Change & { readonly id: number })[] {
  return id === null || topic === null || key === null ? [] : [{ id, topic, key }]
}
