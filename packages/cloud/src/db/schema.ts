import type {
  AppStoreStatus,
  AppType,
  ExportFormat,
  ExportStatus,
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
  organizations: OrganizationRow
  organization_members: OrganizationMemberRow
  apps: AppRow
  app_permissions: AppPermissionRow
  api_keys: ApiKeyRow
  installs: InstallRow
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
}

/** A user. `email` is lower case; tokens issued before `tokens_valid_from` are invalid. */
export interface UserRow {
  id: string
  email: string
  name: string
  profile: string
  tokens_valid_from: number
  created_at: number
  updated_at: number
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
  organization_id: string | null
  hardware_requirements: string
  settings: string
  tools: string
  onboarding_instructions: string
  unreachable_since: number | null
  created_at: number
  updated_at: number
}

/** A permission that an app declares; `position` is the order of declaration. */
export interface AppPermissionRow {
  app_id: string
  position: number
  type: PermissionType
  description: string | null
}

/** A live API key of an app; `key_hash` is the hex SHA-256 of the whole key. */
export interface ApiKeyRow {
  key_id: string
  app_id: string
  key_hash: string
  created_at: number
}

/** An app that a user installed. */
export interface InstallRow {
  user_id: string
  app_id: string
  installed_at: number
  last_active_at: number | null
}

/** An app that runs in the user's session, or is restarted with it. */
export interface RunningAppRow {
  user_id: string
  app_id: string
  since: number
}

/** The live session of a user, stored so that a restarted cloud restores it under the same id. */
export interface UserSessionRow {
  id: string
  user_id: string
  created_at: number
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
  mime_type: PhotoType
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
