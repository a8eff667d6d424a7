import type { Config } from '../../config/index.ts'
import type { Authenticator } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { WebhookClient } from '../../webhooks/index.ts'
import type { Catalogue, HealthChecks } from '../catalogue/index.ts'
import type { OnboardingStore } from './onboarding-store.ts'
import type { PhoneReportStore } from './report-store.ts'

/** Collaborators of the endpoints of this feature. */
export interface PhoneEndpointDeps {
  readonly authenticator: Authenticator
  readonly catalogue: Catalogue
  readonly config: Config
  readonly healthChecks: HealthChecks
  /** Number of live user sessions in this process. */
  readonly liveSessions: () => number
  /** Epoch ms. */
  readonly now: () => number
  readonly onboardings: OnboardingStore
  readonly phoneReports: PhoneReportStore
  readonly sessions: SessionDirectory
  /** Its agent calls addresses that apps name. */
  readonly webhooks: WebhookClient
}
