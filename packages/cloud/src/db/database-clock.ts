import { type Kysely, sql } from 'kysely'
import type { Clock, Timer } from '../time/index.ts'
import type { DatabaseLog } from './postgres.ts'
import type { Schema } from './schema.ts'

/** Interval between comparisons with the clock of the database. */
const COMPARE_INTERVAL_MS = 60_000

/** Difference of the clock of the machine from which it is reported. */
const REPORTED_DIFFERENCE_MS = 2_000

/** The clock of the database, in epoch ms. */
export interface DatabaseTime {
  readonly now: number
  /** Milliseconds that the query took; `now` is at most this old. */
  readonly roundTripMs: number
}

/** Reads the clock of a PostgreSQL database. */
export async function readDatabaseTime(
  db: Kysely<Schema>,
  monotonicNow: () => number,
): Promise<DatabaseTime> {
  const sentAt = monotonicNow()
  const { rows } = await sql<{ now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db)
  return { now: rows[0]?.now ?? Number.NaN, roundTripMs: monotonicNow() - sentAt }
}

/**
 * Wall time by the clock of the database, so that nodes whose own clocks differ agree on leases, expiry and due times.
 * Between comparisons it advances with the monotonic clock, and is therefore unaffected when the clock of the machine is
 * changed.
 */
export class DatabaseClock implements Clock {
  readonly #clock: Clock
  readonly #db: Kysely<Schema>
  readonly #log: DatabaseLog
  /** Epoch ms at the moment 0 of the monotonic clock. */
  #origin: number
  #timer: Timer | undefined
  #isClosed = false

  private constructor(clock: Clock, db: Kysely<Schema>, log: DatabaseLog) {
    this.#clock = clock
    this.#db = db
    this.#log = log
    this.#origin = clock.now() - clock.monotonicNow()
  }

  /** Opens a clock that measures intervals with `clock`. @throws Error if the database fails */
  static async open(clock: Clock, db: Kysely<Schema>, log: DatabaseLog): Promise<DatabaseClock> {
    const opened = new DatabaseClock(clock, db, log)
    await opened.#compare()
    opened.#scheduleNext()
    const difference = Math.round(clock.now() - opened.now())
    if (Math.abs(difference) > REPORTED_DIFFERENCE_MS)
      log.warn({ differenceMs: difference }, 'the clock of this machine differs from that of the database')
    return opened
  }

  now(): number {
    return Math.round(this.#origin + this.#clock.monotonicNow())
  }

  monotonicNow(): number {
    return this.#clock.monotonicNow()
  }

  after(ms: number, run: () => void): Timer {
    return this.#clock.after(ms, run)
  }

  close(): void {
    this.#isClosed = true
    this.#timer?.cancel()
  }

  async #compare(): Promise<void> {
    const { now, roundTripMs } = await readDatabaseTime(this.#db, () => this.#clock.monotonicNow())
    const origin = now + roundTripMs / 2 - this.#clock.monotonicNow()
    // A smaller difference may be due to the round trip, and need not disturb the order of times.
    if (Math.abs(origin - this.#origin) > roundTripMs) this.#origin = origin
  }

  #scheduleNext(): void {
    if (this.#isClosed) return
    this.#timer = this.#clock.after(COMPARE_INTERVAL_MS, () => {
      this.#compare()
        .catch((error: unknown) =>
          this.#log.warn(
            { code: (error as { code?: string }).code },
            'the clock of the database was not read',
          ),
        )
        .finally(() => this.#scheduleNext())
    })
  }
}
