import { type Kysely, sql } from 'kysely'
import { createChangeLog, isPostgres, type LoggedTable, logChanges } from './change-log.ts'
import type { Migration } from './migration.ts'

/** The schema of version 1.0.0. */
export const base: Migration = {
  summary: 'Creates all tables.',
  async up(db: Kysely<unknown>) {
    for (const statement of tables(byteOrdered(db)).split(';')) await sql.raw(statement).execute(db)
    await createChangeLog(db)
    for (const logged of LOGGED_TABLES) await logChanges(db, logged)
    for (const trigger of EVENT_TRIGGERS) await (isPostgres(db) ? onPostgres : onSqlite)(db, trigger)
  },
}

/**
 * Column type of text that lists are ordered by. SQLite compares text bytewise; the default collation of PostgreSQL
 * depends on the machine and on library versions.
 */
function byteOrdered(db: Kysely<unknown>): string {
  return isPostgres(db) ? 'text collate "C"' : 'text'
}

/**
 * Returns the statements for tables and indexes. `stream_inputs` and `provider_recordings` refer to users without a
 * cascade: the row of a user cannot be deleted before what they name.
 */
const tables = (ordered: string) => `
create table users (
  id text not null primary key,
  email ${ordered} not null unique,
  name text not null,
  profile text not null,
  tokens_valid_from bigint not null default 0,
  created_at bigint not null,
  updated_at bigint not null,
  is_administrator integer not null default 0,
  suspended_at bigint,
  email_verified integer not null default 0,
  image text,
  two_factor_enabled integer not null default 0
);
create table deleted_users (
  email_hash text not null primary key,
  deleted_at bigint not null
);
create table organizations (
  id text not null primary key,
  slug ${ordered} not null unique,
  name text not null,
  profile text not null,
  created_at bigint not null
);
create table organization_members (
  organization_id text not null references organizations (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  role text not null,
  joined_at bigint not null,
  constraint organization_members_pk primary key (organization_id, user_id)
);
create index organization_members_user on organization_members (user_id);
create table apps (
  id text not null primary key,
  package_name ${ordered} not null unique,
  name text not null,
  description text not null,
  public_url text not null,
  app_type text not null,
  logo_url text not null,
  webview_url text,
  featured integer not null,
  min_hardware_version text,
  app_store_status text not null,
  developer_id text,
  organization_id text references organizations (id) on delete set null,
  hardware_requirements text not null,
  settings text not null,
  tools text not null,
  unreachable_since bigint,
  created_at bigint not null,
  updated_at bigint not null,
  onboarding_instructions text not null default '',
  screenshots text not null default '[]',
  developer_user_id text,
  approved text,
  wake_words text not null default '[]'
);
create index apps_status on apps (app_store_status, package_name);
create index apps_developer on apps (developer_id);
create index apps_organization on apps (organization_id);
create index apps_developer_user on apps (developer_user_id);
create table app_permissions (
  app_id text not null references apps (id) on delete cascade,
  position integer not null,
  type text not null,
  description text,
  declared_at bigint not null default 0,
  constraint app_permissions_pk primary key (app_id, type)
);
create table api_keys (
  key_id text not null primary key,
  app_id text not null references apps (id) on delete cascade,
  key_hash text not null,
  created_at bigint not null,
  last_used_at bigint,
  last_used_address text,
  signing_key text,
  secret_id text
);
create index api_keys_app on api_keys (app_id);
create table installs (
  user_id text not null references users (id) on delete cascade,
  app_id text not null references apps (id) on delete cascade,
  installed_at bigint not null,
  last_active_at bigint,
  constraint installs_pk primary key (user_id, app_id)
);
create index installs_app on installs (app_id);
create table running_apps (
  user_id text not null references users (id) on delete cascade,
  app_id text not null references apps (id) on delete cascade,
  since bigint not null,
  constraint running_apps_pk primary key (user_id, app_id)
);
create index running_apps_app on running_apps (app_id);
create table user_sessions (
  id text not null primary key,
  user_id text not null unique references users (id) on delete cascade,
  created_at bigint not null,
  owner text,
  epoch bigint not null default 0,
  model text
);
create index user_sessions_owner on user_sessions (owner);
create table user_settings (
  user_id text not null references users (id) on delete cascade,
  key text not null,
  value text not null,
  updated_at bigint not null,
  constraint user_settings_pk primary key (user_id, key)
);
create table app_settings (
  user_id text not null references users (id) on delete cascade,
  app_id text not null references apps (id) on delete cascade,
  key text not null,
  value text not null,
  updated_at bigint not null,
  constraint app_settings_pk primary key (user_id, app_id, key)
);
create index app_settings_app on app_settings (app_id);
create table privacy_settings (
  user_id text not null primary key references users (id) on delete cascade,
  share_usage_data integer not null,
  receive_notifications integer not null,
  allow_data_collection integer not null,
  updated_at bigint not null
);
create table exports (
  id text not null primary key,
  user_id text not null references users (id) on delete cascade,
  format text not null,
  status text not null,
  attempts integer not null,
  lease_owner text,
  lease_until bigint,
  created_at bigint not null,
  ended_at bigint
);
create index exports_user on exports (user_id);
create index exports_ended on exports (ended_at, created_at);
create table deletions (
  user_id text not null primary key references users (id) on delete cascade,
  began_at bigint not null,
  claim text
);
create table oauth_keys (
  secret_id text not null primary key,
  kid text not null,
  public_jwk text not null,
  sealed_private_key text not null,
  created_at bigint not null
);
create table gallery_photos (
  id ${ordered} not null primary key,
  user_id text not null references users (id) on delete cascade,
  mime_type text not null,
  size bigint not null,
  request_id text not null,
  origin text not null,
  package_name text,
  uploaded_at bigint not null
);
create index gallery_photos_user on gallery_photos (user_id, id);
create table storage_documents (
  user_id text not null references users (id) on delete cascade,
  app_id text not null references apps (id) on delete cascade,
  updated_at bigint not null,
  constraint storage_documents_pk primary key (user_id, app_id)
);
create index storage_documents_app on storage_documents (app_id);
create table storage_values (
  user_id text not null,
  app_id text not null,
  key ${ordered} not null,
  value text not null,
  bytes bigint not null,
  updated_at bigint not null,
  constraint storage_values_pk primary key (user_id, app_id, key),
  constraint storage_values_document foreign key (user_id, app_id)
    references storage_documents (user_id, app_id) on delete cascade
);
create table webview_tokens (
  token_hash text not null primary key,
  user_id text not null references users (id) on delete cascade,
  app_id text not null references apps (id) on delete cascade,
  issued_at bigint not null,
  login_id text
);
create index webview_tokens_issued on webview_tokens (issued_at);
create index webview_tokens_user on webview_tokens (user_id);
create index webview_tokens_app on webview_tokens (app_id);
create table phone_reports (
  id text not null primary key,
  user_id text references users (id) on delete cascade,
  kind text not null,
  content text not null,
  created_at bigint not null
);
create index phone_reports_user on phone_reports (user_id, kind, created_at);
create table onboardings (
  user_id text not null references users (id) on delete cascade,
  app_id text not null references apps (id) on delete cascade,
  completed_at bigint not null,
  constraint onboardings_pk primary key (user_id, app_id)
);
create index onboardings_app on onboardings (app_id);
create table incidents (
  id text not null primary key,
  user_id text not null references users (id) on delete cascade,
  content text not null,
  created_at bigint not null
);
create index incidents_user on incidents (user_id, created_at);
create table incident_logs (
  id text not null primary key,
  incident_id text not null references incidents (id) on delete cascade,
  source text not null,
  entries text not null,
  bytes integer not null,
  position integer not null
);
create index incident_logs_incident on incident_logs (incident_id, position);
create table incident_files (
  id text not null primary key,
  incident_id text not null references incidents (id) on delete cascade,
  filename text not null,
  mime_type text not null,
  size integer not null,
  position integer not null
);
create index incident_files_incident on incident_files (incident_id, position);
create table photo_deliveries (
  id ${ordered} not null primary key,
  user_id text not null references users (id) on delete cascade,
  mime_type text not null,
  size bigint not null,
  package_name text not null,
  request_id text not null,
  sealed_token text,
  attempts integer not null,
  lease_owner text not null,
  lease_until bigint not null,
  created_at bigint not null
);
create index photo_deliveries_lease on photo_deliveries (lease_until, id);
create index photo_deliveries_user on photo_deliveries (user_id, id);
create table gallery_usage (
  user_id text not null primary key references users (id) on delete cascade,
  photos bigint not null,
  bytes bigint not null
);
create table job_runs (
  name text not null primary key,
  ran_at bigint not null
);
create table personal_tokens (
  id text not null primary key,
  user_id text not null references users (id) on delete cascade,
  name text not null,
  scopes text not null,
  token_hash text not null,
  created_at bigint not null,
  expires_at bigint not null,
  last_used_at bigint,
  last_used_address text
);
create index personal_tokens_user on personal_tokens (user_id);
create table organization_invitations (
  id text not null primary key,
  organization_id text not null references organizations (id) on delete cascade,
  email ${ordered} not null,
  role text not null,
  token_hash text not null unique,
  created_at bigint not null,
  expires_at bigint not null,
  link_hash text,
  constraint organization_invitations_address unique (organization_id, email)
);
create index organization_invitations_email on organization_invitations (email);
create index organization_invitations_link on organization_invitations (link_hash);
create table cloud (
  key text not null primary key,
  value text not null
);
create table node_leases (
  holder text not null primary key,
  expires_at bigint not null
);
create table logins (
  id text not null primary key,
  user_id text not null references users (id) on delete cascade,
  token_hash text not null unique,
  refresh_hash text,
  refreshed_at bigint,
  ip_address text,
  user_agent text,
  created_at bigint not null,
  updated_at bigint not null,
  expires_at bigint not null,
  is_device integer not null default 0,
  last_used_at bigint,
  last_used_address text,
  ends_with_browser integer not null default 0,
  scope text,
  signed_in_at bigint,
  is_browser integer not null default 0
);
create index logins_user on logins (user_id);
create index logins_expiry on logins (expires_at);
create table sign_in_methods (
  id text not null primary key,
  user_id text not null references users (id) on delete cascade,
  provider_id text not null,
  account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at bigint,
  refresh_token_expires_at bigint,
  scope text,
  created_at bigint not null,
  updated_at bigint not null,
  constraint sign_in_methods_account unique (provider_id, account_id)
);
create index sign_in_methods_user on sign_in_methods (user_id);
create table two_factors (
  id text not null primary key,
  user_id text not null references users (id) on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified integer not null,
  failed_verification_count integer not null default 0,
  locked_until bigint,
  last_used_step bigint
);
create index two_factors_user on two_factors (user_id);
create table verifications (
  id text not null primary key,
  identifier text not null,
  value text not null,
  created_at bigint not null,
  updated_at bigint not null,
  expires_at bigint not null
);
create index verifications_identifier on verifications (identifier);
create table device_codes (
  id text not null primary key,
  device_code text not null unique,
  user_code text not null unique,
  user_id text references users (id) on delete cascade,
  status text not null,
  client_id text,
  scope text,
  polling_interval integer,
  last_polled_at bigint,
  expires_at bigint not null,
  signed_in_at bigint
);
create table guesses (
  key text not null primary key,
  attempts integer not null,
  resets_at bigint not null
);
create table sign_up_invitations (
  id text not null primary key,
  token_hash text not null unique,
  invited_email text,
  created_at bigint not null,
  expires_at bigint not null
);
create table set_up (
  step text not null primary key,
  completed_at bigint not null
);
create table app_reviews (
  app_id text not null primary key references apps (id) on delete cascade,
  submitted_at bigint not null,
  decided_at bigint,
  notes text not null
);
create table app_channels (
  package_name text not null primary key,
  node_id text not null
);
create index app_channels_node_id on app_channels (node_id);
create table stream_inputs (
  name text not null primary key,
  provider text not null,
  input_id text,
  holder text not null,
  node_url text not null,
  renewed_at bigint not null,
  user_id text references users (id)
);
create index stream_inputs_input on stream_inputs (input_id);
create index stream_inputs_renewed on stream_inputs (renewed_at);
create index stream_inputs_user on stream_inputs (user_id);
create table app_log (
  id ${ordered} not null primary key,
  app_id text not null references apps (id) on delete cascade,
  at bigint not null,
  entry text not null
);
create index app_log_app on app_log (app_id, id);
create index app_log_at on app_log (at);
create table app_usage (
  app_id text not null references apps (id) on delete cascade,
  day integer not null,
  sessions integer not null,
  errors integer not null,
  constraint app_usage_pk primary key (app_id, day)
);
create table app_daily_users (
  app_id text not null references apps (id) on delete cascade,
  day integer not null,
  user_hash text not null,
  constraint app_daily_users_pk primary key (app_id, day, user_hash)
);
create table live_streams (
  user_id text not null primary key references users (id) on delete cascade,
  stream_id text not null,
  started_at bigint not null
);
create index live_streams_stream on live_streams (stream_id);
create table audit_log (
  id ${ordered} not null primary key,
  at bigint not null,
  actor_id text not null,
  action text not null,
  target text not null,
  details text not null,
  address text not null,
  outcome text not null
);
create table output_apps (
  package_name text not null primary key,
  reserved_at bigint not null
);
create table output_places (
  id text not null primary key,
  package_name text not null,
  renewed_at bigint not null
);
create index output_places_package on output_places (package_name, renewed_at);
create index output_places_renewed on output_places (renewed_at);
create table passkeys (
  id text not null primary key,
  user_id text not null references users (id) on delete cascade,
  credential_id text not null unique,
  public_key text not null,
  counter bigint not null,
  transports text not null,
  name text not null,
  created_at bigint not null,
  last_used_at bigint
);
create index passkeys_user on passkeys (user_id);
create table used_challenges (
  challenge_hash text not null primary key,
  expires_at bigint not null
);
create index used_challenges_expiry on used_challenges (expires_at);
create table node_samples (
  minute bigint not null,
  node text not null,
  sample text not null,
  constraint node_samples_pk primary key (minute, node)
);
create table app_activity (
  user_id text not null references users (id) on delete cascade,
  app_id text not null references apps (id) on delete cascade,
  last_active_at bigint not null,
  constraint app_activity_key primary key (user_id, app_id)
);
create index app_activity_app on app_activity (app_id);
create table known_browsers (
  user_id text not null references users (id) on delete cascade,
  browser_hash text not null,
  expires_at bigint not null,
  constraint known_browsers_key primary key (browser_hash, user_id)
);
create index known_browsers_user on known_browsers (user_id);
create index known_browsers_expiry on known_browsers (expires_at);
create table speech_usage (
  day integer not null,
  caller text not null,
  characters bigint not null,
  constraint speech_usage_key primary key (day, caller)
);
create table space_reservations (
  id text not null primary key,
  user_id text not null references users (id) on delete cascade,
  kind text not null,
  bytes bigint not null,
  holder text not null,
  expires_at bigint not null
);
create index space_reservations_user on space_reservations (user_id);
create index space_reservations_holder on space_reservations (holder);
create table provider_recordings (
  provider text not null,
  recording_id text not null,
  user_id text not null references users (id),
  url text,
  recorded_at bigint not null,
  constraint provider_recordings_key primary key (provider, recording_id)
);
create index provider_recordings_user on provider_recordings (user_id);
create table permission_acceptances (
  user_id text not null references users (id) on delete cascade,
  app_id text not null references apps (id) on delete cascade,
  permissions text not null,
  updated_at bigint not null,
  constraint permission_acceptances_key primary key (user_id, app_id)
);
create index permission_acceptances_app on permission_acceptances (app_id);
create table node_events (
  id text not null primary key,
  at bigint not null,
  node text not null,
  kind text not null,
  version text not null
);
create index node_events_at on node_events (at);
create table app_events (
  app_id text not null references apps (id) on delete cascade,
  at bigint not null,
  kind text not null,
  constraint app_events_key primary key (app_id, at, kind)
);
create table tls_certificates (
  id text not null primary key,
  created_at bigint not null,
  attempts integer not null,
  lease_owner text,
  lease_until bigint,
  next_attempt_at bigint not null,
  failures integer not null,
  failure text,
  certificate text,
  sealed_key text
);
create table tls_accounts (
  id text not null primary key,
  sealed_key text not null,
  created_at bigint not null
);
create table tls_challenges (
  token text not null primary key,
  host text not null,
  type text not null,
  key_authorization text not null,
  created_at bigint not null
);
create index tls_challenges_host on tls_challenges (host);
create table tls_authorities (
  secret_id text not null primary key,
  certificate text not null,
  sealed_key text not null,
  created_at bigint not null
);
create table backup_state (
  name text not null primary key,
  lease_owner text,
  lease_until bigint,
  tried_at bigint not null,
  succeeded_at bigint,
  backup_id text,
  place text,
  bytes bigint,
  failed_at bigint,
  failure text,
  first_tried_at bigint
);
create table database_version (
  id integer not null primary key,
  version text not null,
  oldest_version text not null,
  written_at bigint not null
);
create table speech_models (
  id text not null primary key,
  install_id text not null,
  manifest text not null,
  installed_at bigint not null
);
create table speech_model_installs (
  id text not null primary key,
  install_id text not null,
  manifest text not null,
  source text not null,
  status text not null,
  failure text,
  stored_files integer not null,
  received_bytes bigint not null,
  attempts integer not null,
  lease_owner text,
  lease_until bigint,
  created_at bigint not null
)`

/** What other processes notice. */
const LOGGED_TABLES: readonly LoggedTable[] = [
  { table: 'apps', topic: 'apps', keyColumn: 'id', events: ['insert', 'delete'] },
  {
    table: 'apps',
    topic: 'apps',
    keyColumn: 'id',
    events: ['update'],
    // Everything but `unreachable_since`, which changes often and is logged below.
    columns: [
      'package_name',
      'name',
      'description',
      'public_url',
      'app_type',
      'logo_url',
      'webview_url',
      'featured',
      'min_hardware_version',
      'app_store_status',
      'developer_id',
      'organization_id',
      'hardware_requirements',
      'settings',
      'tools',
      'onboarding_instructions',
      'updated_at',
    ],
  },
  { table: 'apps', topic: 'app_health', keyColumn: 'id', events: ['update'], columns: ['unreachable_since'] },
  { table: 'app_permissions', topic: 'apps', keyColumn: 'app_id', events: ['insert', 'update', 'delete'] },
  { table: 'organizations', topic: 'organizations', keyColumn: 'id', events: ['update', 'delete'] },
  {
    table: 'users',
    topic: 'users',
    keyColumn: 'id',
    events: ['update'],
    columns: [
      'email',
      'name',
      'profile',
      'tokens_valid_from',
      'is_administrator',
      'suspended_at',
      'email_verified',
    ],
  },
  { table: 'users', topic: 'users', keyColumn: 'id', events: ['delete'] },
  { table: 'installs', topic: 'user_apps', keyColumn: 'user_id', events: ['insert', 'update', 'delete'] },
  { table: 'organization_members', topic: 'user_apps', keyColumn: 'user_id', events: ['insert', 'delete'] },
  // The end of a login or a personal token invalidates the cached tokens of its user.
  { table: 'logins', topic: 'users', keyColumn: 'user_id', events: ['delete'] },
  { table: 'api_keys', topic: 'api_keys', keyColumn: 'key_id', events: ['delete'] },
  { table: 'app_activity', topic: 'user_apps', keyColumn: 'user_id', events: ['insert', 'update', 'delete'] },
  // The catalogue shows the names of developers.
  { table: 'users', topic: 'users', keyColumn: 'id', events: ['insert'] },
  { table: 'personal_tokens', topic: 'users', keyColumn: 'user_id', events: ['delete'] },
  {
    table: 'permission_acceptances',
    topic: 'user_apps',
    keyColumn: 'user_id',
    events: ['insert', 'update', 'delete'],
  },
  {
    table: 'permission_acceptances',
    topic: 'user_access',
    keyColumn: 'user_id',
    events: ['insert', 'update', 'delete'],
  },
  { table: 'organization_members', topic: 'user_access', keyColumn: 'user_id', events: ['insert', 'delete'] },
  { table: 'speech_models', topic: 'speech_models', keyColumn: 'id', events: ['insert', 'delete'] },
]

/** A change of a row that is an event of an app. */
interface EventTrigger {
  readonly name: string
  readonly on: string
  /** An SQL condition; without one, every change. */
  readonly when?: string
  readonly appId: string
  /** An SQL expression. */
  readonly kind: string
}

const EVENT_TRIGGERS: readonly EventTrigger[] = [
  {
    name: 'app_status_event',
    on: 'update of app_store_status on apps',
    when: 'old.app_store_status <> new.app_store_status',
    appId: 'new.id',
    kind: `case new.app_store_status when 'PUBLISHED' then 'published' when 'SUBMITTED' then 'submitted'
      when 'REJECTED' then 'rejected' else 'unpublished' end`,
  },
  {
    name: 'app_server_event',
    on: 'update of unreachable_since on apps',
    when: '(old.unreachable_since is null) <> (new.unreachable_since is null)',
    appId: 'new.id',
    kind: `case when new.unreachable_since is null then 'server_up' else 'server_down' end`,
  },
  { name: 'app_key_made_event', on: 'insert on api_keys', appId: 'new.app_id', kind: `'key_made'` },
  { name: 'app_key_revoked_event', on: 'delete on api_keys', appId: 'old.app_id', kind: `'key_revoked'` },
]

/** The key of an app that is being deleted is no event: its app is gone. */
function insertion({ appId, kind }: EventTrigger, now: string): string {
  return `insert into app_events (app_id, at, kind) select id, ${now}, ${kind} from apps where id = ${appId}
    on conflict do nothing;`
}

async function onSqlite(db: Kysely<unknown>, trigger: EventTrigger): Promise<void> {
  const { name, on, when } = trigger
  const now = `cast(unixepoch('subsec') * 1000 as integer)`
  await sql
    .raw(
      `create trigger ${name} after ${on} ${when === undefined ? '' : `when ${when}`}
       begin ${insertion(trigger, now)} end`,
    )
    .execute(db)
}

async function onPostgres(db: Kysely<unknown>, trigger: EventTrigger): Promise<void> {
  const { name, on, when } = trigger
  const now = `(extract(epoch from clock_timestamp()) * 1000)::bigint`
  await sql
    .raw(
      `create function ${name}() returns trigger language plpgsql as
       $$ begin ${insertion(trigger, now)} return null; end $$`,
    )
    .execute(db)
  await sql
    .raw(
      `create trigger ${name} after ${on} for each row ${when === undefined ? '' : `when (${when})`}
       execute function ${name}()`,
    )
    .execute(db)
}
