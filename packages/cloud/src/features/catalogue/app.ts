import type {
  AppStoreStatus,
  AppType,
  DeveloperProfile,
  HardwareRequirement,
  Permission,
} from '@glasses-cloud/contract'

/** An app of the catalogue. Times are epoch milliseconds; null stands for what the app does not have. */
export interface App {
  readonly id: string
  readonly packageName: string
  readonly name: string
  readonly description: string
  /** Where the app's server is called. */
  readonly publicUrl: string
  readonly appType: AppType
  /** Empty when the app has no logo. */
  readonly logoUrl: string
  /** Null: no web sign-in. */
  readonly webviewUrl: string | null
  readonly featured: boolean
  readonly minHardwareVersion: string | null
  readonly appStoreStatus: AppStoreStatus
  /** E-mail of the developer, lower case. */
  readonly developerId: string | null
  /** Who owns the app, if an organization does. */
  readonly organization: AppOrganization | null
  readonly hardwareRequirements: readonly HardwareRequirement[]
  /** Declarations as the app made them, in the form of the app SDK. */
  readonly settings: readonly Readonly<Record<string, unknown>>[]
  /** Declarations as the app made them, in the form of the app SDK. */
  readonly tools: readonly Readonly<Record<string, unknown>>[]
  readonly permissions: readonly Permission[]
  /** What a new user is told about the app; empty without anything. */
  readonly onboardingInstructions: string
  /** Since when the app's server is known to be down; null while it is not. */
  readonly unreachableSince: number | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** The owner of an app, as lists show it. */
export interface AppOrganization {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly profile: DeveloperProfile
}

/** Everything of an app that its maker decides. */
type Declared = Omit<App, 'id' | 'organization' | 'unreachableSince' | 'createdAt' | 'updatedAt'>

/**
 * What is registered. Of a new app, whatever is left out is empty, `STANDARD` and in `DEVELOPMENT`; of a known
 * one it stays as it was.
 */
export interface AppRegistration
  extends Pick<Declared, 'packageName' | 'name' | 'publicUrl'>,
    Partial<{ readonly [K in keyof Declared]: Declared[K] | undefined }> {
  readonly packageName: string
  readonly name: string
  readonly publicUrl: string
  readonly organizationId?: string | null | undefined
}

/** For whom a list of apps is made. */
export interface Viewer {
  readonly userId: string
  readonly email: string
  /** Package names that count as installed for every user. */
  readonly systemPackages?: readonly string[]
}
