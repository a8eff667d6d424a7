import type {
  AppEventKind,
  AppStoreStatus,
  AppType,
  ExportFormat,
  ExportStatus,
  GalleryType,
  NodeEventKind,
  PermissionType,
  PhotoOrigin,
  PhotoType,
} from '@glasses-cloud/contract'
import type { Generated } from 'kysely'

/**
 * The tables of Glasses Cloud on both databases: times are epoch milliseconds, booleans 0 or 1, JSON is text. Only the
 * stores use these types.
 */
export interface Schema {
  users: UserRow
  deleted_users: DeletedUserRow
  personal_tokens: PersonalTokenRow
  logins: LoginRow
  known_browsers: KnownBrowserRow
  sign_in_methods: SignInMethodRow
  two_factors: TwoFactorRow
  passkeys: PasskeyRow
  used_challenges: UsedChallengeRow
  verifications: VerificationRow
  device_codes: DeviceCodeRow
  guesses: GuessRow
  sign_up_invitations: SignUpInvitationRow
  set_up: SetUpRow
  organizations: OrganizationRow
  organization_members: OrganizationMemberRow
  organization_invitations: OrganizationInvitationRow
  apps: AppRow
  app_permissions: AppPermissionRow
  app_reviews: AppReviewRow
  app_log: AppLogRow
  app_usage: AppUsageRow
  app_daily_users: AppDailyUserRow
  audit_log: AuditRow
  api_keys: ApiKeyRow
  installs: InstallRow
  app_activity: AppActivityRow
  permission_acceptances: PermissionAcceptanceRow
  running_apps: RunningAppRow
  user_sessions: UserSessionRow
  user_settings: UserSettingRow
  app_settings: AppSettingRow
  privacy_settings: PrivacySettingsRow
  exports: ExportRow
  deletions: DeletionRow
  oauth_keys: OAuthKeyRow
  gallery_photos: GalleryPhotoRow
  gallery_usage: GalleryUsageRow
  photo_deliveries: PhotoDeliveryRow
  storage_documents: StorageDocumentRow
  storage_values: StorageValueRow
  webview_tokens: WebviewTokenRow
  phone_reports: PhoneReportRow
  onboardings: OnboardingRow
  incidents: IncidentRow
  incident_logs: IncidentLogsRow
  incident_files: IncidentFileRow
  changes: ChangeRow
  job_runs: JobRunRow
  cloud: CloudRow
  database_version: DatabaseVersionRow
  node_leases: NodeLeaseRow
  app_channels: AppChannelRow
  stream_inputs: StreamInputRow
  space_reservations: SpaceReservationRow
  provider_recordings: ProviderRecordingRow
  live_streams: LiveStreamRow
  output_apps: OutputAppRow
  output_places: OutputPlaceRow
  node_samples: NodeSampleRow
  node_events: NodeEventRow
  app_events: AppEventRow
  speech_usage: SpeechUsageRow
  tls_certificates: TlsCertificateRow
  tls_accounts: TlsAccountRow
  tls_challenges: TlsChallengeRow
  tls_authorities: TlsAuthorityRow
  backup_state: BackupStateRow
  speech_models: SpeechModelRow
  speech_model_installs: SpeechModelInstallRow
}

/**
 * A user. `email` is lower case; tokens issued before `tokens_valid_from` are invalid; a suspended user has no access
 * since `suspended_at`.
 */
export interface UserRow {
  id: string
  email: string
  name: string
  profile: string
  tokens_valid_from: number
  is_administrator: Generated<number>
  email_verified: Generated<number>
  image: string | null
  two_factor_enabled: Generated<number>
  suspended_at: number | null
  created_at: number
  updated_at: number
}

/** When and from which address a credential was last used, to the minute; null if it never was. */
export interface LastUseColumns {
  last_used_at: Generated<number | null>
  last_used_address: Generated<string | null>
}

/** A personal access token; `token_hash` is the hex SHA-256 of the whole token, `scopes` a JSON list. */
export interface PersonalTokenRow extends LastUseColumns {
  id: string
  user_id: string
  name: string
  scopes: string
  token_hash: string
  created_at: number
  expires_at: number
}

/**
 * A login: a browser or device where a user signed in. `token_hash` is the hex SHA-256 of its session token,
 * `refresh_hash` that of its current refresh token. `refreshed_at` is no longer used.
 */
export interface LoginRow extends LastUseColumns {
  id: string
  user_id: string
  token_hash: string
  refresh_hash: string | null
  refreshed_at: number | null
  ip_address: string | null
  user_agent: string | null
  created_at: number
  updated_at: number
  expires_at: number
  /** 1 if a device was signed in with the approval of its user. */
  is_device: Generated<number>
  /** Of a device: when the user who approved it had signed in; null if that is not known. */
  signed_in_at: number | null
  /** 1 if the browser does not keep the session when it closes; such a login is not extended. */
  ends_with_browser: Generated<number>
  /** 1 if it is the session of a browser; 0 for other clients. */
  is_browser: Generated<number>
  /** What the tokens of the login may do; null for everything. */
  scope: 'store' | null
}

/**
 * A way to sign in: a password (`credential`), or an account at an OpenID Connect issuer, where `account_id` is the
 * subject.
 */
export interface SignInMethodRow {
  id: string
  user_id: string
  provider_id: string
  account_id: string
  password: string | null
  created_at: number
  updated_at: number
}

/** A TOTP secret with its backup codes, both encrypted; without `verified` it is not in use yet. */
export interface TwoFactorRow {
  id: string
  user_id: string
  secret: string
  backup_codes: string
  verified: number
  /** The 30 s since 1970 of the last code that was accepted; no code of it, or from before it, is accepted again. */
  last_used_step: number | null
}

/** A passkey of a user. `credential_id` and `public_key` (COSE) are base64url, `transports` is a JSON list. */
export interface PasskeyRow {
  id: string
  user_id: string
  credential_id: string
  public_key: string
  counter: number
  transports: string
  name: string
  created_at: number
  last_used_at: number | null
}

/** A challenge of a passkey that was answered; `challenge_hash` is its hex SHA-256. */
export interface UsedChallengeRow {
  challenge_hash: string
  expires_at: number
}

/** A pending verification, such as a password reset; `identifier` is hashed. */
export interface VerificationRow {
  id: string
  identifier: string
  value: string
  created_at: number
  updated_at: number
  expires_at: number
}

/** A device sign-in in progress (RFC 8628). */
export interface DeviceCodeRow {
  id: string
  device_code: string
  user_code: string
  user_id: string | null
  status: string
  client_id: string | null
  scope: string | null
  polling_interval: number | null
  last_polled_at: number | null
  expires_at: number
  /** When the user who approved it had signed in. */
  signed_in_at: number | null
}

/** A browser where a user signed in before; `browser_hash` is the hex SHA-256 of its cookie. */
export interface KnownBrowserRow {
  user_id: string
  browser_hash: string
  expires_at: number
}

/** Attempts to guess a secret; `key` is a hash of what the guesses are about. */
export interface GuessRow {
  key: string
  attempts: number
  resets_at: number
}

/** An invitation to create an account; anybody who has the token may use it unless `invited_email` is set. */
export interface SignUpInvitationRow {
  id: string
  token_hash: string
  invited_email: string | null
  created_at: number
  expires_at: number
}

/** A completed step of the set-up of this cloud. */
export interface SetUpRow {
  step: string
  completed_at: number
}

/** A deleted user: a keyed hash of the e-mail address, by which tokens issued before the deletion are rejected. */
export interface DeletedUserRow {
  email_hash: string
  deleted_at: number
}

/** An organization that owns apps; `profile` is a JSON object. */
export interface OrganizationRow {
  id: string
  slug: string
  name: string
  profile: string
  created_at: number
}

/** Role of a member in an organization. */
export type OrganizationRole = 'admin' | 'member'

/** A membership in an organization. */
export interface OrganizationMemberRow {
  organization_id: string
  user_id: string
  role: OrganizationRole
  joined_at: number
}

/** A pending invitation to an organization; `token_hash` is the hex SHA-256 of its token, `email` lower case. */
export interface OrganizationInvitationRow {
  id: string
  organization_id: string
  email: string
  role: OrganizationRole
  /** Of the token that was sent to the address. */
  token_hash: string
  /** Of the token that the person who invited received, which proves no address. */
  link_hash: string | null
  created_at: number
  expires_at: number
}

/** An app of the catalogue. */
export interface AppRow {
  id: string
  package_name: string
  name: string
  description: string
  public_url: string
  app_type: AppType
  logo_url: string
  webview_url: string | null
  featured: number
  min_hardware_version: string | null
  app_store_status: AppStoreStatus
  developer_id: string | null
  /** The user who registered the app; null if the operator did. */
  developer_user_id: string | null
  organization_id: string | null
  hardware_requirements: string
  settings: string
  tools: string
  wake_words: string
  onboarding_instructions: string
  screenshots: string
  /**
   * The approved revision as JSON; empty if a review has approved none, null if no review is needed: everything that the
   * app declares counts as approved.
   */
  approved: string | null
  unreachable_since: number | null
  created_at: number
  updated_at: number
}

/** The last review of an app; `decided_at` is null while it is in review. Rows of unreviewed apps are missing. */
export interface AppReviewRow {
  app_id: string
  submitted_at: number
  decided_at: number | null
  notes: string
}

/** An entry in the log of an app; `id` grows with time, `entry` is JSON. */
export interface AppLogRow {
  id: string
  app_id: string
  at: number
  entry: string
}

/** How often an app started and failed on a day, counted from 1970-01-01 in UTC. */
export interface AppUsageRow {
  app_id: string
  day: number
  sessions: number
  errors: number
}

/** A user of an app on a day; `user_hash` is keyed and differs between days and apps. */
export interface AppDailyUserRow {
  app_id: string
  day: number
  user_hash: string
}

/** An act of an administrator. `id` grows with time, `details` is JSON; an outcome `started` was interrupted. */
export interface AuditRow {
  id: string
  at: number
  actor_id: string
  action: string
  target: string
  details: string
  address: string
  outcome: 'started' | 'done' | 'failed'
}

/** A permission that an app declares; `position` is the order of declaration. */
export interface AppPermissionRow {
  app_id: string
  position: number
  type: PermissionType
  description: string | null
  /** Since when the app declares it without interruption; an older acceptance does not count. */
  declared_at: Generated<number>
}

/**
 * A live API key of an app. Its signing key is the hex SHA-256 of the whole key; `key_hash` is the hex SHA-256 of the
 * signing key, and `signing_key` its encrypted form, with the id of the secret that encrypted it.
 */
export interface ApiKeyRow extends LastUseColumns {
  key_id: string
  app_id: string
  key_hash: string
  signing_key: string
  secret_id: string
  created_at: number
}

/** An app that a user installed. */
export interface InstallRow {
  user_id: string
  app_id: string
  installed_at: number
}

/** The permissions of an app that a user accepted, as a JSON list. */
export interface PermissionAcceptanceRow {
  user_id: string
  app_id: string
  permissions: string
  updated_at: number
}

/** When an app last started or stopped for a user, whether it is installed or not. */
export interface AppActivityRow {
  user_id: string
  app_id: string
  last_active_at: number
}

/** An app that runs in the user's session, or is restarted with it. */
export interface RunningAppRow {
  user_id: string
  app_id: string
  since: number
  failed_sessions: Generated<number>
}

/** The live session of a user, stored so that a restarted cloud restores it under the same id. */
export interface UserSessionRow {
  id: string
  user_id: string
  created_at: number
  /** The lease holder of the node that hosts the session; null if none does, and always without a cluster. */
  owner: Generated<string | null>
  /** Increases with every change of the owner. */
  epoch: Generated<number>
  /** The model of the glasses; null if none are connected or it is unknown. */
  model: string | null
}

/** A setting of a user; `value` is JSON. */
export interface UserSettingRow {
  user_id: string
  key: string
  value: string
  updated_at: number
}

/** A setting of a user in an app; `value` is JSON. */
export interface AppSettingRow extends UserSettingRow {
  app_id: string
}

/** The privacy settings of a user. */
export interface PrivacySettingsRow {
  user_id: string
  share_usage_data: number
  receive_notifications: number
  allow_data_collection: number
  updated_at: number
}

/**
 * A data export. The worker that processes it has a lease (`lease_owner`, until `lease_until`); an open export without
 * a valid lease is due. `ended_at` is when it completed or failed.
 */
export interface ExportRow {
  id: string
  user_id: string
  format: ExportFormat
  status: ExportStatus
  attempts: number
  lease_owner: string | null
  lease_until: number | null
  created_at: number
  ended_at: number | null
}

/** A deletion in progress. The row is deleted together with the user's row, in the last step. */
export interface DeletionRow {
  user_id: string
  began_at: number
  /** JSON of the new holder, if the address is claimed; null for a deletion. */
  claim: string | null
}

/**
 * The signing key of OAuth tokens; one for each `AUTH_SECRET`, which encrypts the private key. `secret_id` identifies
 * the secret without revealing it.
 */
export interface OAuthKeyRow {
  secret_id: string
  kid: string
  public_jwk: string
  sealed_private_key: string
  created_at: number
}

/** A photo of a gallery; the file is a blob. `request_id` is the photo request that it fulfills. */
export interface GalleryPhotoRow {
  id: string
  user_id: string
  mime_type: GalleryType
  size: number
  request_id: string
  origin: PhotoOrigin
  package_name: string | null
  uploaded_at: number
}

/** How much of the gallery quota a user's photos use. */
export interface GalleryUsageRow {
  user_id: string
  photos: number
  /** What the photos are charged with, which is more than their size if they are tiny. */
  bytes: number
}

/**
 * A photo on its way to the app that requested it; the file is a blob. `sealed_token` is the bearer token that the app
 * expects with it. Another process may take over once `lease_until` has passed.
 */
export interface PhotoDeliveryRow {
  id: string
  user_id: string
  mime_type: PhotoType
  size: number
  package_name: string
  request_id: string
  sealed_token: string | null
  attempts: number
  lease_owner: string
  lease_until: number
  created_at: number
}

/** The simple storage of an app for a user. Every change writes this row first, which serializes changes. */
export interface StorageDocumentRow {
  user_id: string
  app_id: string
  updated_at: number
}

/** A value in the simple storage. `key` and `value` are JSON strings; `bytes` is the length of both as plain UTF-8. */
export interface StorageValueRow extends StorageDocumentRow {
  key: string
  value: string
  bytes: number
}

/** A temporary webview token; `token_hash` is its hex SHA-256. */
export interface WebviewTokenRow {
  token_hash: string
  user_id: string
  app_id: string
  issued_at: number
  /** The login that it was issued to and ends with. */
  login_id: string | null
}

export type PhoneReportKind = 'feedback' | 'error'

/** A report of a phone to the operator; `user_id` is null for anonymous reports. `content` is JSON. */
export interface PhoneReportRow {
  id: string
  user_id: string | null
  kind: PhoneReportKind
  content: string
  created_at: number
}

/** A completed onboarding of a user to an app. */
export interface OnboardingRow {
  user_id: string
  app_id: string
  completed_at: number
}

/** An incident reported by a user. `content` is JSON. */
export interface IncidentRow {
  id: string
  user_id: string
  content: string
  created_at: number
}

/** A batch of logs of an incident. `entries` is JSON, `bytes` its length; `position` is the order of arrival. */
export interface IncidentLogsRow {
  id: string
  incident_id: string
  source: string
  entries: string
  bytes: number
  position: number
}

/** An attachment of an incident; the file is a blob. The phone chooses `filename` and `mime_type`; `position` is the order of arrival. */
export interface IncidentFileRow {
  id: string
  incident_id: string
  filename: string
  mime_type: string
  size: number
  position: number
}

/** A row that changed, written by triggers. */
export interface ChangeRow {
  id: Generated<number>
  topic: string
  key: string
  changed_at: Generated<number>
}

/** When a periodic job last ran on any node. */
export interface JobRunRow {
  name: string
  /** Epoch ms. */
  ran_at: number
}

/** Which version wrote the database; one row with the id 1. */
export interface DatabaseVersionRow {
  id: number
  version: string
  oldest_version: string
  written_at: number
}

/** A property of the whole cloud. */
export interface CloudRow {
  key: string
  value: string
}

/** The lease of a node, by the clock of the database. */
export interface NodeLeaseRow {
  holder: string
  expires_at: number
}

/** Which node forwards the messages between the users of an app. */
export interface AppChannelRow {
  package_name: string
  /** Id on the bus. */
  node_id: string
}

/**
 * An input at a streaming provider. `input_id` is its id there, null until the provider has answered. The process `holder`
 * at `node_url` renews it as long as it lives.
 */
export interface StreamInputRow {
  name: string
  provider: string
  input_id: string | null
  holder: string
  node_url: string
  renewed_at: number
  user_id: string
}

/**
 * Space in a user's gallery that an upload or a recording under way has reserved. It is free again at `expires_at`,
 * which the process `holder` renews.
 */
export interface SpaceReservationRow {
  id: string
  user_id: string
  kind: 'upload' | 'recording'
  bytes: number
  holder: string
  expires_at: number
}

/** A recording of a user's stream that remains at the streaming provider. */
export interface ProviderRecordingRow {
  provider: string
  recording_id: string
  user_id: string
  /** Where it can be watched, if the provider says so. */
  url: string | null
  recorded_at: number
}

/** An app that has restreamed; its row is locked while places are reserved for it. */
export interface OutputAppRow {
  package_name: string
  reserved_at: number
}

/** A restream output that counts towards the limit of its app. Its node renews it as long as it lives. */
export interface OutputPlaceRow {
  id: string
  package_name: string
  renewed_at: number
}

/** What a node measured in a minute since 1970-01-01; `sample` is JSON. */
export interface NodeSampleRow {
  node: string
  minute: number
  sample: string
}

/** Something that happened to a node; `id` is unique and, but for lost nodes, random. */
export interface NodeEventRow {
  id: string
  at: number
  node: string
  kind: NodeEventKind
  version: string
}

/** Something that happened to an app, written by triggers. */
export interface AppEventRow {
  app_id: string
  at: number
  kind: Exclude<AppEventKind, 'permissions'>
}

/** The managed stream of a user's glasses. */
export interface LiveStreamRow {
  user_id: string
  stream_id: string
  started_at: number
}

/** Characters spoken on a day, by hash of the caller's address; the empty caller stands for all. */
export interface SpeechUsageRow {
  day: number
  caller: string
  characters: number
}

/**
 * A certificate that the cloud orders at an authority; `id` names the authority, the hosts and the `AUTH_SECRET` that
 * seals the key. One process at a time orders it, when `next_attempt_at` is reached.
 */
export interface TlsCertificateRow {
  id: string
  created_at: number
  attempts: number
  lease_owner: string | null
  lease_until: number | null
  next_attempt_at: number
  failures: number
  failure: string | null
  certificate: string | null
  sealed_key: string | null
}

/** The key of an account at an authority that issues certificates. */
export interface TlsAccountRow {
  id: string
  sealed_key: string
  created_at: number
}

/** The answer to a challenge of an authority, which any node gives. */
export interface TlsChallengeRow {
  token: string
  host: string
  type: string
  key_authorization: string
  created_at: number
}

/** The cloud's own authority (`TLS=local`), one for each `AUTH_SECRET`, which seals its key. */
export interface TlsAuthorityRow {
  secret_id: string
  certificate: string
  sealed_key: string
  created_at: number
}

/** Which process makes a backup, and how the last ones ended; a row for each repository of backups. */
export interface BackupStateRow {
  name: string
  lease_owner: string | null
  lease_until: number | null
  tried_at: number
  /** When the first one was started. */
  first_tried_at: number | null
  /** When the last verified backup ended. */
  succeeded_at: number | null
  backup_id: string | null
  place: string | null
  /** Of the whole repository. */
  bytes: number | null
  /** Null if a backup has succeeded since. */
  failed_at: number | null
  failure: string | null
}

/** An installed speech model; `manifest` is JSON. Its files are blobs below `install_id`, which is never used again. */
export interface SpeechModelRow {
  id: string
  install_id: string
  manifest: string
  installed_at: number
}

/**
 * A speech model that is being installed, or whose installation failed. The first `stored_files` files of the manifest are
 * in the file store, and have their sizes and hashes in it. Only the process that has a `local` model can install it.
 */
export interface SpeechModelInstallRow {
  id: string
  install_id: string
  manifest: string
  source: 'web' | 'local'
  status: 'pending' | 'failed'
  failure: string | null
  stored_files: number
  received_bytes: number
  attempts: number
  lease_owner: string | null
  lease_until: number | null
  created_at: number
}
