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
 * The rows of Glasses Cloud, as both databases hold them: times are epoch milliseconds, booleans 0 or 1, JSON is
 * text. Only the stores see these types; what they hand out is in the field's own words.
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
  storage_documents: StorageDocumentRow
  storage_values: StorageValueRow
  webview_tokens: WebviewTokenRow
  phone_reports: PhoneReportRow
  onboardings: OnboardingRow
  incidents: IncidentRow
  incident_logs: IncidentLogsRow
  incident_files: IncidentFileRow
  changes: ChangeRow
}

/** One account. `email` is lower case; tokens issued before `tokens_valid_from` are void. */
export interface UserRow {
  id: string
  email: string
  name: string
  profile: string
  tokens_valid_from: number
  created_at: number
  updated_at: number
}

/** What remains of a deleted account: a hash that tells its old tokens apart, and no personal content. */
export interface DeletedUserRow {
  email_hash: string
  deleted_at: number
}

/** An organization that makes apps; `profile` is a JSON object. */
export interface OrganizationRow {
  id: string
  slug: string
  name: string
  profile: string
  created_at: number
}

/** Role of a member in an organization. */
export type OrganizationRole = 'admin' | 'member'

/** Who belongs to an organization. */
export interface OrganizationMemberRow {
  organization_id: string
  user_id: string
  role: OrganizationRole
  joined_at: number
}

/** One app of the catalogue. Search looks at name and description in lower case, which databases disagree about. */
export interface AppRow {
  id: string
  package_name: string
  name: string
  name_lower: string
  description: string
  description_lower: string
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

/** One permission an app declares; `position` keeps the order of the declaration. */
export interface AppPermissionRow {
  app_id: string
  position: number
  type: PermissionType
  description: string | null
}

/** One live API key of an app: only the hash of it, hex SHA-256 of the whole key. */
export interface ApiKeyRow {
  key_id: string
  app_id: string
  key_hash: string
  created_at: number
}

/** An app in a wearer's list. */
export interface InstallRow {
  user_id: string
  app_id: string
  installed_at: number
  last_active_at: number | null
}

/** An app the wearer wants running. */
export interface RunningAppRow {
  user_id: string
  app_id: string
  since: number
}

/** The live user session of a user, kept so that a restarted cloud finds it again under the same id. */
export interface UserSessionRow {
  id: string
  user_id: string
  created_at: number
}

/** One setting of a user; `value` is JSON. */
export interface UserSettingRow {
  user_id: string
  key: string
  value: string
  updated_at: number
}

/** One setting a user made in an app; `value` is JSON. */
export interface AppSettingRow extends UserSettingRow {
  app_id: string
}

/** What a user allows to be done with the account's data; 0 or 1 each. */
export interface PrivacySettingsRow {
  user_id: string
  share_usage_data: number
  receive_notifications: number
  allow_data_collection: number
  updated_at: number
}

/**
 * A data export. Whoever works on it holds a lease, `lease_owner` until `lease_until`; an open one without a lease,
 * or with one that ran out, is to be worked on. `ended_at` is when it was completed or failed.
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

/** An account whose deletion has begun. Goes with the user's own row, which is the end of it. */
export interface DeletionRow {
  user_id: string
  began_at: number
}

/**
 * The key that tokens for web pages of apps are signed with; one for each `AUTH_SECRET`, which its private part is
 * encrypted with. `secret_id` tells secrets apart and says nothing of them.
 */
export interface OAuthKeyRow {
  secret_id: string
  kid: string
  public_jwk: string
  sealed_private_key: string
  created_at: number
}

/** One photo of a gallery, whose file is a blob. `request_id` is the photo request it answers. */
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

/** That an app stores something for a user. Who changes what is stored writes this row first, and so waits in turn. */
export interface StorageDocumentRow {
  user_id: string
  app_id: string
  updated_at: number
}

/** One value an app stores for a user. Key and value are JSON strings; `bytes` is what both have as plain UTF-8. */
export interface StorageValueRow extends StorageDocumentRow {
  key: string
  value: string
  bytes: number
}

/** A temporary token of a web view; `token_hash` is its hex SHA-256. */
export interface WebviewTokenRow {
  token_hash: string
  user_id: string
  app_id: string
  issued_at: number
}

/** What a phone's report is about. */
export type PhoneReportKind = 'feedback' | 'error'

/** Something a phone reported to the operator; `user_id` is null where nobody is known to have. `content` is JSON. */
export interface PhoneReportRow {
  id: string
  user_id: string | null
  kind: PhoneReportKind
  content: string
  created_at: number
}

/** That a user has been introduced to an app. */
export interface OnboardingRow {
  user_id: string
  app_id: string
  completed_at: number
}

/** Something a user reported. `content` is JSON. */
export interface IncidentRow {
  id: string
  user_id: string
  content: string
  created_at: number
}

/** Logs that were added to an incident at a time. `entries` is JSON of so many bytes; `position` is the order they came in. */
export interface IncidentLogsRow {
  id: string
  incident_id: string
  source: string
  entries: string
  bytes: number
  position: number
}

/** A file of an incident, which is a blob. `filename` and `mime_type` are the phone's; `position` is the order they came in. */
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
