import { type Static, Type } from 'typebox'
import { appStoreStatus, appType } from './apps.ts'
import { hardwareRequirement } from './compatibility.ts'
import { organizationSummary } from './organizations.ts'
import { permission } from './permissions.ts'
import { wakeWord } from './wake-words.ts'

const isoTime = Type.String({ format: 'date-time' })

const declarations = Type.Array(Type.Record(Type.String(), Type.Unknown()))

/** Schema of the review of an app. */
export const appReview = Type.Object(
  {
    submittedAt: isoTime,
    decidedAt: Type.Optional({ ...isoTime, description: 'Absent while the app is in review' }),
    notes: Type.String({ description: 'Notes of the reviewer; may be empty' }),
  },
  { title: 'AppReview' },
)

/** Schema of the part of a manifest that is reviewed. */
export const reviewedManifest = Type.Object(
  {
    permissions: Type.Array(permission),
    publicUrl: Type.String(),
    webviewURL: Type.Optional(Type.String()),
    tools: declarations,
  },
  { title: 'ReviewedManifest' },
)

/** Schema of an app as its developers see it. The fields of the manifest have the names they have there. */
export const developerApp = Type.Object(
  {
    _id: Type.String(),
    packageName: Type.String(),
    name: Type.String(),
    description: Type.String(),
    publicUrl: Type.String(),
    appType,
    logoURL: Type.String(),
    screenshots: Type.Array(Type.String()),
    webviewURL: Type.Optional(Type.String()),
    permissions: Type.Array(permission),
    hardwareRequirements: Type.Array(hardwareRequirement),
    settings: declarations,
    tools: declarations,
    wakeWords: Type.Array(wakeWord),
    onboardingInstructions: Type.String(),
    featured: Type.Boolean(),
    minHardwareVersion: Type.Optional(Type.String()),
    appStoreStatus,
    published: Type.Boolean(),
    review: Type.Optional(appReview),
    revision: Type.String({
      description:
        'Names the permissions, addresses and tools as they are now; a decision on a review repeats it',
    }),
    approved: Type.Optional({
      ...reviewedManifest,
      description:
        'The approved revision, which users other than the owners have; absent if none was approved',
    }),
    developerId: Type.Optional(
      Type.String({ description: 'E-mail address of the developer; absent if an organization owns the app' }),
    ),
    organization: Type.Optional(Type.String({ description: 'Slug of the organization that owns the app' })),
    orgId: Type.Optional(Type.String()),
    orgName: Type.Optional(Type.String()),
    isServerDown: Type.Boolean({ description: 'Whether the last call of the app server failed' }),
    createdAt: isoTime,
    updatedAt: isoTime,
  },
  { title: 'DeveloperApp' },
)

/** An app as its developers see it. */
export type DeveloperApp = Static<typeof developerApp>

/** Schema of an API key of an app; the key itself is not stored. */
export const apiKeyInfo = Type.Object(
  {
    id: Type.String(),
    createdAt: isoTime,
    isSigning: Type.Boolean({
      description:
        'Whether the cloud signs its calls with it: not after AUTH_SECRET changed, until the key is used',
    }),
    lastUsedAt: Type.Union([Type.Null(), isoTime], {
      description: 'Time of the last use, to the minute; null if it was never used',
    }),
    lastUsedIpAddress: Type.Union([Type.Null(), Type.String()], {
      description: 'Address of the client then',
    }),
  },
  { title: 'ApiKeyInfo' },
)

/** Schema of a new API key. */
export const newApiKey = Type.Object(
  { id: Type.String(), createdAt: isoTime, apiKey: Type.String({ description: 'Shown only once' }) },
  { title: 'NewApiKey' },
)

/** Schema of the account of a developer. */
export const developerAccount = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    isAdministrator: Type.Boolean(),
    organizations: Type.Array(organizationSummary),
  },
  { title: 'DeveloperAccount' },
)

/** Properties of uploaded images. */
export const APP_IMAGE_LIMITS = {
  logo: { bytes: 1024 * 1024, minPixels: 64, maxPixels: 2_048 },
  screenshot: { bytes: 4 * 1024 * 1024, minPixels: 100, maxPixels: 4_096 },
  screenshots: 8,
} as const

/** Maximum number of apps of a developer or an organization. */
export const MAX_APPS_PER_OWNER = 200
