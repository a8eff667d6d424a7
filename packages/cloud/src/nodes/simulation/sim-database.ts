import assert from 'node:assert/strict'
import type { Database } from '../../db/index.ts'
import type { RunningAppStore, SessionPlace, UserSessionStore } from '../../session-host/index.ts'
import type { NodeLeaseStore } from '../node-lease-store.ts'
import type { SimProcess } from './sim-process.ts'
import { type Reply, SimServer } from './sim-server.ts'
import type { World } from './world.ts'

const QUERY_TIMEOUT_MS = 2_000
/** Time after which the server ends a transaction whose client is silent. */
const IDLE_IN_TRANSACTION_MS = 5_000

/** A row of `user_sessions` and the transactions that lock it. */
interface Row {
  place: SessionPlace
  readonly locks: Set<Transaction>
  readonly waiting: (() => void)[]
}

/** A transaction in an epoch of a session: its writes happen when it commits. */
interface Transaction {
  readonly row: Row
  readonly epoch: number
  readonly writes: (() => void)[]
  isOpen: boolean
}

/** What the database reports to the invariants. */
export interface DatabaseEvents {
  /** A write of a session was committed. @param epoch the epoch that the transaction compared */
  committed(process: SimProcess, userSessionId: string, epoch: number): void
  /** A row of a session was written without a transaction that compares the epoch. */
  unfenced(process: SimProcess, userId: string): void
}

/** A model of PostgreSQL: sessions with row locks, leases and running apps. */
export class SimDatabase {
  readonly server: SimServer
  /** Users by the id of a session that ends while the response is on its way. */
  readonly staleUsers = new Map<string, string>()
  readonly #world: World
  readonly #events: DatabaseEvents
  readonly #leases = new Map<string, number>()
  readonly #rows = new Map<string, Row>()
  readonly #running = new Map<string, Map<string, number>>()

  constructor(world: World, events: DatabaseEvents) {
    this.#world = world
    this.#events = events
    this.server = new SimServer(world, QUERY_TIMEOUT_MS)
  }

  /** The stored session of a user. */
  sessionOf(userId: string): SessionPlace | undefined {
    for (const { place } of this.#rows.values()) if (place.userId === userId) return place
    return undefined
  }

  isRunning(userId: string, packageName: string): boolean {
    return this.#running.get(userId)?.has(packageName) ?? false
  }

  leasesOf(process: SimProcess): Pick<NodeLeaseStore, 'renew' | 'release' | 'isHeld'> {
    const call = <Value>(run: () => Value) =>
      this.server.call<Value>(process, ({ resolve }) => resolve(run()))
    return {
      renew: (holder, ms) => call(() => void this.#leases.set(holder, this.#world.now + ms)),
      release: (holder) => call(() => void this.#leases.delete(holder)),
      isHeld: (holder) => call(() => this.#isHeld(holder)),
    }
  }

  sessionsOf(
    process: SimProcess,
  ): Pick<
    UserSessionStore,
    | 'claim'
    | 'locate'
    | 'locateById'
    | 'findById'
    | 'create'
    | 'takeOver'
    | 'release'
    | 'end'
    | 'fenced'
    | 'setModel'
  > {
    const read = <Value>(run: () => Value) =>
      this.server.call<Value>(process, ({ resolve }) => resolve(run()))
    return {
      claim: () => assert.fail('a node of a cluster claims sessions through their ownership'),
      locate: (userId) => read(() => this.sessionOf(userId)),
      locateById: (id) => read(() => this.#rows.get(id)?.place),
      findById: (id) => read(() => this.#rows.get(id)?.place.userId ?? this.staleUsers.get(id)),
      create: (userId, userSessionId, owner) =>
        read(() => {
          if (this.sessionOf(userId)) return false
          const place = { userSessionId, userId, owner, epoch: 1 }
          this.#rows.set(userSessionId, { place, locks: new Set(), waiting: [] })
          return true
        }),
      takeOver: (place, owner) =>
        this.server.call<boolean>(process, (reply) => {
          // The condition on the lease is evaluated before the row is locked.
          const isFree = place.owner === undefined || place.owner === owner || !this.#isHeld(place.owner)
          if (!isFree) return reply.resolve(false)
          this.#update(place.userSessionId, reply, (row) => {
            if (row?.place.epoch !== place.epoch) return false
            row.place = { ...row.place, owner, epoch: place.epoch + 1 }
            return true
          })
        }),
      setModel: async () => {},
      release: (id, epoch) =>
        this.server.call<void>(process, (reply) =>
          this.#update(id, reply, (row) => {
            if (row?.place.epoch === epoch) row.place = { ...row.place, owner: undefined }
          }),
        ),
      end: (id, epoch) =>
        this.server.call<boolean>(process, (reply) =>
          this.#update(id, reply, (row) => {
            if (!row || (epoch !== undefined && row.place.epoch !== epoch)) return false
            this.#rows.delete(id)
            return true
          }),
        ),
      fenced: async (id, epoch, write) => {
        const transaction = await this.#begin(process, id, epoch)
        try {
          const value = await write(transaction as unknown as Database)
          await this.#commit(process, transaction)
          return value
        } catch (error) {
          this.server.call<void>(process, ({ resolve }) => resolve(this.#unlock(transaction))).catch(() => {})
          throw error
        }
      },
    }
  }

  runningOf(
    process: SimProcess,
  ): Pick<RunningAppStore, 'setRunning' | 'clearRunning' | 'setFailedSessions' | 'runningOf'> {
    const write = <Value>(userId: string, db: Database | undefined, now: () => Value, run: () => void) =>
      this.server.call<Value>(process, (reply) => {
        const transaction = db as unknown as Transaction | undefined
        if (!transaction) {
          this.#events.unfenced(process, userId)
          run()
        } else if (!transaction.isOpen) return reply.reject(new Error('the transaction was aborted'))
        else transaction.writes.push(run)
        reply.resolve(now())
      })
    const rowsOf = (userId: string) => {
      const rows = this.#running.get(userId) ?? new Map<string, number>()
      this.#running.set(userId, rows)
      return rows
    }
    return {
      setRunning: (userId, packageName, since, db) =>
        write(
          userId,
          db,
          () => undefined,
          () => void rowsOf(userId).set(packageName, since),
        ),
      clearRunning: (userId, packageName, db) =>
        write(
          userId,
          db,
          () => this.isRunning(userId, packageName),
          () => void rowsOf(userId).delete(packageName),
        ),
      // No app is given up: each stop is one that was requested.
      setFailedSessions: async () => {},
      runningOf: (userId) =>
        this.server.call(process, ({ resolve }) =>
          resolve(
            [...rowsOf(userId)].map(([packageName, since]) => ({ packageName, since, failedSessions: 0 })),
          ),
        ),
    }
  }

  #begin(process: SimProcess, id: string, epoch: number): Promise<Transaction> {
    return this.server.call<Transaction>(process, (reply) => {
      const row = this.#rows.get(id)
      if (row?.place.epoch !== epoch) return reply.reject(new Error('stale epoch'))
      const transaction: Transaction = { row, epoch, writes: [], isOpen: true }
      row.locks.add(transaction)
      const abort = () => this.#unlock(transaction)
      this.#world.after(IDLE_IN_TRANSACTION_MS, abort)
      process.onDeath(abort)
      reply.resolve(transaction)
    })
  }

  #commit(process: SimProcess, transaction: Transaction): Promise<void> {
    return this.server.call<void>(process, (reply) => {
      if (!transaction.isOpen) return reply.reject(new Error('the transaction was aborted'))
      const { row, epoch, writes } = transaction
      this.#events.committed(process, row.place.userSessionId, epoch)
      for (const run of writes) run()
      this.#unlock(transaction)
      reply.resolve()
    })
  }

  #unlock(transaction: Transaction): void {
    const { row } = transaction
    transaction.isOpen = false
    row.locks.delete(transaction)
    while (row.locks.size === 0 && row.waiting.length > 0) row.waiting.shift()?.()
  }

  /** Updates or deletes a row, once no transaction locks it. */
  #update<Value>(id: string, reply: Reply<Value>, run: (row: Row | undefined) => Value): void {
    const row = this.#rows.get(id)
    const update = () => reply.resolve(run(this.#rows.get(id)))
    if (row && row.locks.size > 0) row.waiting.push(update)
    else update()
  }

  #isHeld(holder: string): boolean {
    return (this.#leases.get(holder) ?? 0) > this.#world.now
  }
}
