import type { Database } from '../../../db/index.ts'

/** Stores which node owns the channel of an app. */
export class ChannelOwnerStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Claims a channel; of concurrent callers, one owns it.
   * @param gone the node that owned the channel and no longer responds
   * @returns the id of the node that owns it now
   */
  async claim(packageName: string, nodeId: string, gone?: string): Promise<string> {
    const { node_id } = await this.#db
      .insertInto('app_channels')
      .values({ package_name: packageName, node_id: nodeId })
      .onConflict((conflict) =>
        conflict.column('package_name').doUpdateSet((e) => ({
          node_id: e
            .case()
            .when('app_channels.node_id', '=', gone ?? '')
            .then(nodeId)
            .else(e.ref('app_channels.node_id'))
            .end(),
        })),
      )
      .returning('node_id')
      .executeTakeFirstOrThrow()
    return node_id
  }

  async find(packageName: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('app_channels')
      .select('node_id')
      .where('package_name', '=', packageName)
      .executeTakeFirst()
    return row?.node_id
  }

  /** Returns the packages whose channels a node owns. */
  async ownedBy(nodeId: string): Promise<Set<string>> {
    const rows = await this.#db
      .selectFrom('app_channels')
      .select('package_name')
      .where('node_id', '=', nodeId)
      .execute()
    return new Set(rows.map((row) => row.package_name))
  }

  /** @param packageName undefined: all channels of the node */
  async release(nodeId: string, packageName?: string): Promise<void> {
    const released = this.#db.deleteFrom('app_channels').where('node_id', '=', nodeId)
    const query = packageName === undefined ? released : released.where('package_name', '=', packageName)
    await query.execute()
  }
}
