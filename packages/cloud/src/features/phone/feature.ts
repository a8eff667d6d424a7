import type { Config } from '../../config/index.ts'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { Authenticator } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { WebhookClient } from '../../webhooks/index.ts'
import type { Catalogue, HealthChecks } from '../catalogue/index.ts'
import { checkAppHealth } from './app-health-check.ts'
import { getApplets } from './apps.ts'
import { configureAudio } from './audio-configure.ts'
import { postCalendar } from './calendar.ts'
import { postDeviceState } from './device-state.ts'
import { postErrorReport } from './error-report.ts'
import { postFeedback } from './feedback.ts'
import { getSound } from './get-sound.ts'
import { postGoodbye } from './goodbye.ts'
import { getHealth } from './health.ts'
import { getLivekitToken } from './livekit-token.ts'
import { postLocation } from './location.ts'
import { postLocationPollResponse } from './location-poll-response.ts'
import { getMinVersion } from './min-version.ts'
import { postNotificationDismissed } from './notification-dismissed.ts'
import { postNotification } from './notifications.ts'
import { completeOnboarding, getOnboardingStatus } from './onboarding.ts'
import { getOnboardingInstructions } from './onboarding-instructions.ts'
import { OnboardingStore } from './onboarding-store.ts'
import { phoneSections } from './personal-data.ts'
import { PhoneReportStore } from './report-store.ts'
import { setDateTime } from './set-datetime.ts'

/** Collaborators of the phone's endpoints. */
export interface PhoneDeps {
  readonly db: Database
  readonly config: Config
  readonly authenticator: Authenticator
  readonly catalogue: Catalogue
  readonly healthChecks: HealthChecks
  readonly sessions: SessionDirectory
  readonly webhooks: WebhookClient
  /** Number of live user sessions in this process. */
  readonly liveSessions: () => number
  /** Epoch ms. */
  readonly now: () => number
}

/** Endpoints for reports and requests of phones (glasses-socket.md §3). */
export function createPhone({ db, ...deps }: PhoneDeps): Feature & {
  readonly phoneReports: PhoneReportStore
  readonly onboardings: OnboardingStore
} {
  const phoneReports = new PhoneReportStore(db)
  const onboardings = new OnboardingStore(db)
  const endpointDeps = { ...deps, phoneReports, onboardings }
  return {
    name: 'phone',
    phoneReports,
    onboardings,
    endpoints: [
      configureAudio(endpointDeps),
      getSound(endpointDeps),
      getHealth(endpointDeps),
      getMinVersion(endpointDeps),
      getApplets(endpointDeps),
      checkAppHealth(endpointDeps),
      getLivekitToken(),
      postGoodbye(endpointDeps),
      postDeviceState(endpointDeps),
      postLocation(endpointDeps),
      postLocationPollResponse(endpointDeps),
      postCalendar(endpointDeps),
      postNotification(endpointDeps),
      postNotificationDismissed(endpointDeps),
      setDateTime(endpointDeps),
      postFeedback(endpointDeps),
      postErrorReport(endpointDeps),
      getOnboardingStatus(endpointDeps),
      completeOnboarding(endpointDeps),
      getOnboardingInstructions(endpointDeps),
    ],
    exportSections: phoneSections(phoneReports, onboardings),
  }
}
