import type {
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  RootOperationNode,
} from 'kysely'
import type { Database } from './database.ts'

/** The queries that were executed through a database, for tests that bound the work of a call. */
export interface RecordedDatabase {
  readonly db: Database
  readonly queries: readonly RootOperationNode[]
}

/** Returns the same database with a record of the queries executed through it. */
export function recordQueries(db: Database): RecordedDatabase {
  const queries: RootOperationNode[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }: PluginTransformQueryArgs) => {
      queries.push(node)
      return node
    },
    transformResult: async ({ result }: PluginTransformResultArgs) => result,
  }
  return { db: db.withPlugin(plugin), queries }
}
