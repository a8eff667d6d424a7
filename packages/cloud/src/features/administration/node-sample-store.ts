import type { NodeSample } from '@glasses-cloud/contract'
import { sql } from 'kysely'
import { type Database, fromJson, toJson } from '../../db/index.ts'

/** Measurements without node and time, as they are stored. */
export type Measurements = Omit<NodeSample, 'node' | 'at'>

const MINUTE_MS = 60_000

/** Stores what nodes measure, one row for each node and minute. */
export class NodeSampleStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Stores the measurements of a minute, unless the node has stored some. */
  async add(node: string, at: number, measurements: Measurements): Promise<void> {
    const row = { node, minute: Math.floor(at / MINUTE_MS), sample: toJson(measurements) }
    await this.#db
      .insertInto('node_samples')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  /** Lists the measurements of all nodes since a time, in order. @param every minutes between two of a node */
  async listSince(since: number, every: number): Promise<(Measurements & { node: string; at: number })[]> {
    const rows = await this.#db
      .selectFrom('node_samples')
      .selectAll()
      .where('minute', '>=', Math.floor(since / MINUTE_MS))
      .where((e) => e(sql<number>`${e.ref('minute')} % ${sql.lit(every)}`, '=', 0))
      .orderBy('minute')
      .orderBy('node')
      .execute()
    return rows.map(({ node, minute, sample }) => ({
      ...fromJson<Measurements>(sample),
      node,
      at: Number(minute) * MINUTE_MS,
    }))
  }

  async removeBefore(time: number): Promise<void> {
    await this.#db
      .deleteFrom('node_samples')
      .where('minute', '<', Math.floor(time / MINUTE_MS))
      .execute()
  }
}
