import type { BlobStore } from '../blobs/index.ts'
import type { Config } from '../config/index.ts'
import type { Deletions, Exports, PrivacyStore } from '../features/account/index.ts'
import type { AppMessageHub } from '../features/app-messages/index.ts'
import type { About, Catalogue } from '../features/catalogue/index.ts'
import type { Gallery } from '../features/gallery/index.ts'
import type { Incidents } from '../features/incidents/index.ts'
import type { WebTokens } from '../features/oauth/index.ts'
import type { AppPermissions } from '../features/permissions/index.ts'
import type { OnboardingStore, PhoneReportStore } from '../features/phone/index.ts'
import type { PhotoRelay } from '../features/photos/index.ts'
import type { AppSettings, UserSettings } from '../features/settings/index.ts'
import type { SimpleStorage } from '../features/simple-storage/index.ts'
import type { LiveStreams } from '../features/streams/index.ts'
import type { Tools } from '../features/tools/index.ts'
import type { Speaker } from '../features/tts/index.ts'
import type { WebviewTokens } from '../features/webview/index.ts'
import type { ApiKeys, Authenticator, IdentityProviders, Tokens, UserStore } from '../identity/index.ts'
import type { SessionDirectory } from '../session-host/index.ts'
import type { Metrics } from './metrics.ts'
import type { Readiness } from './readiness.ts'

/**
 * What endpoints work with, assembled in `cloud.ts`. A feature adds one line here (its service, or the store its
 * endpoints read) and fills it in the composition root.
 */
export interface Services {
  readonly config: Config
  /** Epoch ms. */
  readonly now: () => number
  /** Where clients reach the cloud. */
  readonly publicUrl: () => URL
  readonly readiness: Readiness
  readonly metrics: Metrics
  readonly tokens: Tokens
  readonly authenticator: Authenticator
  readonly apiKeys: ApiKeys
  readonly signIn: IdentityProviders
  readonly users: UserStore
  readonly catalogue: Catalogue
  readonly about: About
  readonly sessions: SessionDirectory
  /** How many user sessions live in this process. */
  readonly liveSessions: () => number
  readonly streams: LiveStreams
  readonly appMessages: AppMessageHub
  /** Absent where no provider of speech is configured. */
  readonly speaker: Speaker | undefined
  readonly blobs: BlobStore
  readonly permissions: AppPermissions
  readonly gallery: Gallery
  readonly photos: PhotoRelay
  readonly userSettings: UserSettings
  readonly appSettings: AppSettings
  readonly storage: SimpleStorage
  readonly privacy: PrivacyStore
  readonly exports: Exports
  readonly deletions: Deletions
  readonly tools: Tools
  readonly webTokens: WebTokens
  readonly webviewTokens: WebviewTokens
  readonly phoneReports: PhoneReportStore
  readonly onboardings: OnboardingStore
  readonly incidents: Incidents
}
