import type {
  AppStoreStatus,
  AppType,
  DeveloperProfile,
  HardwareRequirement,
  Permission,
  PermissionType,
  WakeWord,
} from '@glasses-cloud/contract'

/** An app of the catalogue. Times are epoch ms; null means the app has none. */
export interface App {
  readonly id: string
  readonly packageName: string
  readonly name: string
  readonly description: string
  /** Base URL of the app's server; empty for users for whom no address is approved (PRM-22). */
  readonly publicUrl: string
  readonly appType: AppType
  /** Empty if the app has no logo. */
  readonly logoUrl: string
  /** URLs of uploaded screenshots. */
  readonly screenshots: readonly string[]
  /** Null if the app has no web sign-in. */
  readonly webviewUrl: string | null
  readonly featured: boolean
  readonly minHardwareVersion: string | null
  readonly appStoreStatus: AppStoreStatus
  /** E-mail of the developer, lower case. */
  readonly developerId: string | null
  /** The account of the developer who registered the app; null if the operator did. */
  readonly developerUserId: string | null
  /** Name under which others see the developer; null if they have none that may be shown. */
  readonly developerName: string | null
  /** The organization that owns the app. */
  readonly organization: AppOrganization | null
  readonly hardwareRequirements: readonly HardwareRequirement[]
  /** As declared by the app, in the form of the app SDK. */
  readonly settings: readonly Readonly<Record<string, unknown>>[]
  /** As declared by the app, in the form of the app SDK. */
  readonly tools: readonly Readonly<Record<string, unknown>>[]
  /** Phrases for which it listens. */
  readonly wakeWords: readonly WakeWord[]
  readonly permissions: readonly Permission[]
  /** Since when it declares each of them without interruption. */
  readonly declaredAt: Readonly<Partial<Record<PermissionType, number>>>
  /** What a review has approved, of an app that may declare more (PRM-22). */
  readonly approved: Approved
  /** Shown to new users of the app; may be empty. */
  readonly onboardingInstructions: string
  /** When the app's server was found to be down; null while it is up or unknown. */
  readonly unreachableSince: number | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** The part of a manifest that is reviewed: what the app may receive, where it is sent, and which tools it offers. */
export type ReviewedManifest = Pick<App, 'permissions' | 'publicUrl' | 'webviewUrl' | 'tools'>

/** What a review has approved; `everything` if the app needs no review, because it was made without one. */
export type Approved = ReviewedManifest | 'everything' | 'nothing'

/** An organization as lists of apps show it. */
export interface AppOrganization {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly profile: DeveloperProfile
}

/** Fields that the developer sets. */
type Declared = Omit<
  App,
  | 'id'
  | 'developerName'
  | 'organization'
  | 'screenshots'
  | 'approved'
  | 'declaredAt'
  | 'unreachableSince'
  | 'createdAt'
  | 'updatedAt'
>

/**
 * Fields to register. A field that is left out keeps its value; in a new app it is empty, `STANDARD` or `DEVELOPMENT`.
 */
export interface AppRegistration
  extends Pick<Declared, 'packageName' | 'name' | 'publicUrl'>,
    Partial<{ readonly [K in keyof Declared]: Declared[K] | undefined }> {
  readonly packageName: string
  readonly name: string
  readonly publicUrl: string
  readonly organizationId?: string | null | undefined
}

/** Fields to change. A field that is left out keeps its value. */
export type AppChanges = Partial<Omit<AppRegistration, 'packageName'>>
