import { randomUUID } from 'node:crypto'
import type { NodeEventKind } from '@glasses-cloud/contract'
import type { Selectable } from 'kysely'
import type { Database, NodeEventRow } from '../../db/index.ts'

/** Time for which events are kept: longer than measurements, so that the next start finds the last version. */
const KEEP_MS = 30 * 24 * 60 * 60_000

/** Events that are kept at most, should a node restart without end. */
const MAX_EVENTS = 1_000

export type StoredNodeEvent = Selectable<NodeEventRow>

/** Stores what happens to the nodes of the cloud. */
export class NodeEventStore {
  readonly #db: Database
  readonly #maxEvents: number

  constructor(db: Database, maxEvents = MAX_EVENTS) {
    this.#db = db
    this.#maxEvents = maxEvents
  }

  /** Stores an event. @param id stores it once, if several nodes report it; random if absent */
  async add(
    event: {
      readonly at: number
      readonly node: string
      readonly kind: NodeEventKind
      readonly version: string
    },
    id: string = randomUUID(),
  ): Promise<void> {
    await this.#db
      .insertInto('node_events')
      .values({ id, ...event })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  /** Returns the last event of a node, or of any. */
  async findLast(node?: string): Promise<StoredNodeEvent | undefined> {
    let query = this.#db.selectFrom('node_events').selectAll().orderBy('at', 'desc').orderBy('id').limit(1)
    if (node !== undefined) query = query.where('node', '=', node)
    return query.executeTakeFirst()
  }

  /** Lists the events since a time, newest first. */
  async listSince(since: number): Promise<StoredNodeEvent[]> {
    return this.#db
      .selectFrom('node_events')
      .selectAll()
      .where('at', '>=', since)
      .orderBy('at', 'desc')
      .orderBy('id')
      .limit(this.#maxEvents)
      .execute()
  }

  /** Deletes old events, and the oldest beyond the maximum. */
  async trim(now: number): Promise<void> {
    const oldest = await this.#db
      .selectFrom('node_events')
      .select('at')
      .orderBy('at', 'desc')
      .offset(this.#maxEvents)
      .limit(1)
      .executeTakeFirst()
    await this.#db
      .deleteFrom('node_events')
      .where('at', '<=', Math.max(now - KEEP_MS, oldest?.at ?? 0))
      .execute()
  }
}
