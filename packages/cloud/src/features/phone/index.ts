import { checkAppHealth } from './app-health-check.ts'
import { getApplets } from './apps.ts'
import { configureAudio } from './audio-configure.ts'
import { postCalendar } from './calendar.ts'
import { postDeviceState } from './device-state.ts'
import { postErrorReport } from './error-report.ts'
import { postFeedback } from './feedback.ts'
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
import { setDateTime } from './set-datetime.ts'

export { liveSession } from './live-session.ts'
export { OnboardingStore } from './onboarding-store.ts'
export { phoneExport } from './personal-data.ts'
export { PhoneReportStore } from './report-store.ts'

/** What phones report and ask for by REST (glasses socket protocol, 3). */
export const phoneEndpoints = [
  configureAudio,
  getHealth,
  getMinVersion,
  getApplets,
  checkAppHealth,
  getLivekitToken,
  postGoodbye,
  postDeviceState,
  postLocation,
  postLocationPollResponse,
  postCalendar,
  postNotification,
  postNotificationDismissed,
  setDateTime,
  postFeedback,
  postErrorReport,
  getOnboardingStatus,
  completeOnboarding,
  getOnboardingInstructions,
]
