import type { Migration as KyselyMigration } from 'kysely/migration'

/**
 * A change of the schema. Within a major version a migration only adds, so that the previous release keeps running on
 * the new schema (UPG-5, ADR 45).
 */
export interface Migration extends KyselyMigration {
  /** One sentence for operators, which `cli upgrade --check` prints. */
  readonly summary: string
  /**
   * Declares that the migration is not additive: the oldest version that may use the database afterwards. All nodes of
   * earlier versions must stop before.
   */
  readonly oldestVersion?: string
}
