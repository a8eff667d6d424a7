import { type Static, Type } from 'typebox'

/** Maximum length of a profile field and of a user's name, in characters (decision A2). */
export const MAX_PROFILE_TEXT_LENGTH = 1_000

/** Maximum number of profile fields besides `displayName` and `phoneNumber` (decision A2). */
export const MAX_PROFILE_FIELDS = 50

const text = Type.String({ maxLength: MAX_PROFILE_TEXT_LENGTH })

const isoTime = Type.String({ format: 'date-time' })

const identity = {
  id: Type.String({ description: 'Opaque; apps identify a user by e-mail address' }),
  email: Type.String(),
  name: Type.String({ description: 'Empty until the user sets it' }),
  profile: Type.Object(
    { displayName: Type.String(), phoneNumber: Type.String() },
    {
      additionalProperties: Type.String(),
      title: 'Profile',
      description: 'Fields that were never set are empty',
    },
  ),
}

/** Schema of the response to a profile update. */
export const updatedUser = Type.Object(identity, { title: 'UpdatedUser' })

/** Schema of the signed-in user, `GET /api/account/me`. */
export const accountUser = Type.Object({ ...identity, createdAt: isoTime }, { title: 'User' })

/** The signed-in user, `GET /api/account/me`. */
export type AccountUser = Static<typeof accountUser>

/** Bounds the work of a request; the profile itself has {@link MAX_PROFILE_FIELDS}. */
const MAX_UPDATED_FIELDS = 1_000

/** Schema of a profile update; all other fields are stored as additional text fields of the profile. */
export const profileUpdate = Type.Object(
  { name: Type.Optional(text), displayName: Type.Optional(text), phoneNumber: Type.Optional(text) },
  { additionalProperties: text, maxProperties: MAX_UPDATED_FIELDS, title: 'ProfileUpdate' },
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

/** The privacy settings of a user. */
export type PrivacySettings = Static<typeof privacySettings>

/** Privacy settings of a user who never changed them (decision A1). */
export const PRIVACY_DEFAULTS: PrivacySettings = {
  shareUsageData: false,
  receiveNotifications: true,
  allowDataCollection: false,
}

/** Schema of a change of privacy settings; unknown fields are rejected. */
export const privacyUpdate = Type.Partial(privacySettings, {
  additionalProperties: false,
  title: 'PrivacyUpdate',
})

/** Formats of a data export. */
export const EXPORT_FORMATS = ['json', 'csv'] as const

/** One of {@link EXPORT_FORMATS}. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Statuses of a data export, in order; it ends in one of the last two (decision A4). */
export const EXPORT_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const

/** One of {@link EXPORT_STATUSES}. */
export type ExportStatus = (typeof EXPORT_STATUSES)[number]

const exportId = Type.String({ description: 'Starts with export_' })

/** Schema of a request for a data export. */
export const exportRequest = Type.Object(
  { format: Type.Optional(Type.Enum(EXPORT_FORMATS, { default: 'json' })) },
  { title: 'ExportRequest' },
)

/** Schema of the response to a request for a data export. */
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
  {
    reason: Type.Optional(Type.String({ maxLength: 1_000, description: 'Not stored' })),
    email: Type.Optional(
      Type.String({ maxLength: 254, description: 'The address of the account; required in a browser' }),
    ),
  },
  { title: 'DeletionRequest' },
)

/** Schema of the app details that a user sees before signing in to its web page. */
export const webApp = Type.Object(
  {
    name: Type.String(),
    packageName: Type.String(),
    webviewURL: Type.String(),
    description: Type.String(),
    icon: Type.String({ description: 'URL of the logo; empty if the app has none' }),
  },
  { title: 'WebApp' },
)

const providerToken = (issuer: string) =>
  Type.Optional(
    Type.Union([Type.Null(), Type.String({ maxLength: 8_192 })], { description: `A token of ${issuer}` }),
  )

/** Schema of the body that exchanges the token of an identity provider for a core token. */
export const exchangeTokenBody = Type.Object(
  {
    supabaseToken: providerToken('Supabase, or the access token of a session of /auth/v1'),
    authingToken: providerToken('Authing'),
    idToken: providerToken('an OpenID Connect issuer'),
    sessionToken: Type.Optional(
      Type.Union([Type.Null(), Type.String({ maxLength: 500 })], {
        description: 'A session token of this cloud; without any token, the session cookie counts',
      }),
    ),
  },
  { title: 'TokenExchange' },
)

/** Schema of the response with a core token and a refresh token. */
export const exchangeTokenResponse = Type.Object(
  {
    coreToken: Type.String(),
    refreshToken: Type.Optional(
      Type.String({
        description:
          'For POST /api/auth/refresh; used once. Absent for a session of /auth/v1, which has its own',
      }),
    ),
    expiresIn: Type.Integer({ description: 'Lifetime of the core token in seconds' }),
  },
  { title: 'ExchangedToken' },
)
