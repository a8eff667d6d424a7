import { type Static, Type } from 'typebox'

/** Longest value of a profile field, and longest name of a user, in characters (decision A2). */
export const MAX_PROFILE_TEXT_LENGTH = 1_000

/** How many fields a profile may hold beside `displayName` and `phoneNumber` (decision A2). */
export const MAX_PROFILE_FIELDS = 50

const text = Type.String({ maxLength: MAX_PROFILE_TEXT_LENGTH })

/** Schema of an ISO 8601 time. */
const isoTime = Type.String({ format: 'date-time' })

const identity = {
  id: Type.String({ description: 'Opaque; apps know a user by e-mail' }),
  email: Type.String(),
  name: Type.String({ description: 'Empty until the user gives one' }),
  profile: Type.Object(
    { displayName: Type.String(), phoneNumber: Type.String() },
    {
      additionalProperties: Type.String(),
      title: 'Profile',
      description: 'Empty text is what was never given',
    },
  ),
}

/** Schema of a user, as an update of the profile answers it. */
export const updatedUser = Type.Object(identity, { title: 'UpdatedUser' })

/** Schema of the signed-in user, `GET /api/account/me`. */
export const accountUser = Type.Object({ ...identity, createdAt: isoTime }, { title: 'User' })

/** The signed-in user, `GET /api/account/me`. */
export type AccountUser = Static<typeof accountUser>

/** Schema of a profile update; whatever else it holds is a further field of the profile, and text. */
export const profileUpdate = Type.Object(
  { name: Type.Optional(text), displayName: Type.Optional(text), phoneNumber: Type.Optional(text) },
  { additionalProperties: text, title: 'ProfileUpdate' },
)

/** Schema of the privacy settings. */
export const privacySettings = Type.Object(
  {
    shareUsageData: Type.Boolean(),
    receiveNotifications: Type.Boolean(),
    allowDataCollection: Type.Boolean(),
  },
  { title: 'PrivacySettings' },
)

/** What a user allows to be done with the account's data. */
export type PrivacySettings = Static<typeof privacySettings>

/** The privacy settings of a user who made none (decision A1). */
export const PRIVACY_DEFAULTS: PrivacySettings = {
  shareUsageData: false,
  receiveNotifications: true,
  allowDataCollection: false,
}

/** Schema of a change of privacy settings: any of the three, and nothing else. */
export const privacyUpdate = Type.Partial(privacySettings, {
  additionalProperties: false,
  title: 'PrivacyUpdate',
})

/** Forms of a data export. */
export const EXPORT_FORMATS = ['json', 'csv'] as const

/** One of {@link EXPORT_FORMATS}. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Where a data export stands; it only moves to the right, and ends in one of the last two (decision A4). */
export const EXPORT_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const

/** One of {@link EXPORT_STATUSES}. */
export type ExportStatus = (typeof EXPORT_STATUSES)[number]

const exportId = Type.String({ description: 'Begins with export_' })

/** Schema of a request for a data export. */
export const exportRequest = Type.Object(
  { format: Type.Optional(Type.Enum(EXPORT_FORMATS, { default: 'json' })) },
  { title: 'ExportRequest' },
)

/** Schema of the answer to a request for a data export. */
export const exportRequestResponse = Type.Object(
  { id: exportId, status: Type.Enum(EXPORT_STATUSES), message: Type.String() },
  { title: 'ExportAccepted' },
)

/** Schema of a data export. */
export const dataExport = Type.Object(
  {
    id: exportId,
    status: Type.Enum(EXPORT_STATUSES),
    format: Type.Enum(EXPORT_FORMATS),
    createdAt: isoTime,
    completedAt: Type.Optional({ ...isoTime, description: 'Present when completed' }),
    downloadUrl: Type.Optional(Type.String({ description: 'Relative path; present when completed' })),
  },
  { title: 'DataExport' },
)

/** A data export. */
export type DataExport = Static<typeof dataExport>

/** Schema of a request to delete the account. */
export const deletionRequest = Type.Object(
  { reason: Type.Optional(Type.String({ maxLength: 1_000, description: 'Not kept' })) },
  { title: 'DeletionRequest' },
)

/** Schema of what a user is shown of an app before signing in to its web page. */
export const webApp = Type.Object(
  {
    name: Type.String(),
    packageName: Type.String(),
    webviewURL: Type.String(),
    description: Type.String(),
    icon: Type.String({ description: 'Address of the logo; empty without one' }),
  },
  { title: 'WebApp' },
)
