import { knownMigrations, type Schema } from '../db/index.ts'

/** What happens to the rows of a table: they are in the backup, or why not. */
type TableDecision = 'kept' | { readonly left: string }

/**
 * Every table. Left out is what describes the running cloud rather than what people stored: a restored cloud has other
 * nodes, and what was under way ended with the old one (BAK-4, docs/backup.md).
 */
export const TABLES: Readonly<Record<keyof Schema, TableDecision>> = {
  users: 'kept',
  deleted_users: 'kept',
  personal_tokens: 'kept',
  logins: 'kept',
  known_browsers: 'kept',
  sign_in_methods: 'kept',
  two_factors: 'kept',
  passkeys: 'kept',
  used_challenges: { left: 'challenges expire within minutes' },
  verifications: { left: 'links in messages expire within a day' },
  device_codes: { left: 'sign-ins of devices in progress' },
  guesses: { left: 'counts of wrong passwords and codes' },
  sign_up_invitations: 'kept',
  set_up: 'kept',
  organizations: 'kept',
  organization_members: 'kept',
  organization_invitations: 'kept',
  apps: 'kept',
  app_permissions: 'kept',
  app_reviews: 'kept',
  app_log: 'kept',
  app_usage: 'kept',
  app_daily_users: 'kept',
  audit_log: 'kept',
  api_keys: 'kept',
  installs: 'kept',
  app_activity: 'kept',
  permission_acceptances: 'kept',
  running_apps: { left: 'apps of live sessions' },
  user_sessions: { left: 'live sessions' },
  user_settings: 'kept',
  app_settings: 'kept',
  privacy_settings: 'kept',
  exports: 'kept',
  deletions: 'kept',
  oauth_keys: 'kept',
  gallery_photos: 'kept',
  gallery_usage: 'kept',
  photo_deliveries: { left: 'photos on their way to an app that no longer waits' },
  storage_documents: 'kept',
  storage_values: 'kept',
  webview_tokens: { left: 'tickets that expire within minutes' },
  phone_reports: 'kept',
  onboardings: 'kept',
  incidents: 'kept',
  incident_logs: 'kept',
  incident_files: 'kept',
  changes: { left: 'the change log, which only running nodes read' },
  job_runs: { left: 'when periodic jobs ran' },
  database_version: {
    left: 'which version wrote the database; a restored one has that of the restoring program',
  },
  cloud: { left: 'the id in Redis: a restored cloud must not join the nodes of the old one' },
  node_leases: { left: 'leases of nodes' },
  app_channels: { left: 'nodes that forward messages between users' },
  stream_inputs: { left: 'inputs of streams in progress' },
  space_reservations: { left: 'uploads and recordings in progress' },
  provider_recordings: 'kept',
  live_streams: { left: 'streams in progress' },
  output_apps: { left: 'outputs of streams in progress' },
  output_places: { left: 'outputs of streams in progress' },
  node_samples: { left: 'measurements of nodes' },
  node_events: { left: 'starts and ends of nodes' },
  app_events: 'kept',
  speech_usage: 'kept',
  tls_certificates: 'kept',
  tls_accounts: 'kept',
  tls_challenges: { left: 'answers to challenges of an authority, which expire' },
  tls_authorities: 'kept',
  backup_state: { left: 'when backups of the old cloud were made' },
  speech_models: { left: 'speech models, whose large files their publishers have' },
  speech_model_installs: { left: 'installations of speech models in progress' },
}

/** Returns what happens to the rows of a table; undefined for those of newer versions and other programs. */
export const decisionOf = (table: string): TableDecision | undefined =>
  Object.hasOwn(TABLES, table) ? TABLES[table as keyof Schema] : undefined

/** Tables of the migrator and of the database itself. */
export const isInternal = (table: string) => /^(schema_migrations|sqlite_)/.test(table)

/**
 * Returns which tables of a database with these migrations are backed up. If a newer version migrated it, the tables that
 * this one does not know belong to it: it decides about them when it restores the backup (BAK-8).
 */
export function tablesToBackUp(migrations: readonly string[]): (table: string) => boolean {
  const isNewer = migrations.some((name) => !Object.hasOwn(knownMigrations, name))
  return (table) => {
    const decision = decisionOf(table)
    return decision === undefined ? isNewer && !isInternal(table) : decision === 'kept'
  }
}

/** Whether triggers write a table while rows of others are restored: it is emptied before its own rows, which are last. */
export const isWrittenByTriggers = (table: string) => table === 'app_events' || table === 'changes'
