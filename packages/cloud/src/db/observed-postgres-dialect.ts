import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
} from 'kysely'

/** Kinds of queries that may write. `commit` is raw. */
const WRITES = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode', 'MergeQueryNode', 'RawNode'])

/** PostgreSQL dialect that reports each query after which other connections may see new rows. */
export class ObservedPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  readonly #onWrite: () => void

  constructor(config: PostgresDialectConfig, onWrite: () => void) {
    super(config)
    this.#config = config
    this.#onWrite = onWrite
  }

  override createDriver(): Driver {
    return new ObservedPostgresDriver(this.#config, this.#onWrite)
  }
}

class ObservedPostgresDriver extends PostgresDriver {
  readonly #onWrite: () => void
  readonly #observed = new WeakSet<DatabaseConnection>()

  constructor(config: PostgresDialectConfig, onWrite: () => void) {
    super(config)
    this.#onWrite = onWrite
  }

  override async acquireConnection(
    ...args: Parameters<PostgresDriver['acquireConnection']>
  ): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection(...args)
    if (!this.#observed.has(connection)) this.#observe(connection)
    return connection
  }

  #observe(connection: DatabaseConnection): void {
    this.#observed.add(connection)
    const execute = connection.executeQuery.bind(connection)
    connection.executeQuery = async <Row>(query: CompiledQuery, ...rest: unknown[]) => {
      const result = await execute<Row>(query, ...(rest as []))
      if (WRITES.has(query.query.kind)) this.#onWrite()
      return result
    }
  }
}
