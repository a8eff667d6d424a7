import { type Static, Type } from 'typebox'
import { hardwareRequirement } from './compatibility.ts'
import { permission } from './permissions.ts'
import { anyPart } from './tolerant-reader.ts'

const success = Type.Literal(true)
const timestamp = Type.String({ format: 'date-time' })
const packageName = Type.String({ minLength: 1, maxLength: 300 })

/** Schema of an app on the home screen of a phone (glasses-socket.md §3.5). */
export const applet = Type.Object(
  {
    packageName: Type.String(),
    name: Type.String(),
    webviewUrl: Type.String({ description: 'Empty if the app has none' }),
    logoUrl: Type.String({ description: 'Empty if the app has none' }),
    // Phones expect lower case (decision C1).
    type: Type.Enum(['standard', 'background', 'system_dashboard']),
    permissions: Type.Array(permission),
    running: Type.Boolean(),
    healthy: Type.Boolean({ description: 'False while the app server is known to be down' }),
    hardwareRequirements: Type.Array(hardwareRequirement),
  },
  { title: 'Applet' },
)

/** An app on the home screen of a phone. */
export type Applet = Static<typeof applet>

/** Schema of the response with the apps of the home screen. */
export const appletsResponse = Type.Object({ success, data: Type.Array(applet), timestamp })

const version = Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+$' })

/** Schema of the response with the required and recommended phone app versions. */
export const minVersionResponse = Type.Object(
  {
    success,
    data: Type.Object({
      required: { ...version, description: 'Older versions must be updated' },
      recommended: { ...version, description: 'Users of older versions are asked to update' },
    }),
    timestamp,
  },
  { title: 'MinVersion' },
)

/** Schema of the response with the app SDK versions that the cloud supports. */
export const sdkVersionResponse = Type.Object(
  { success, data: Type.Object({ required: version, latest: version }), timestamp },
  { title: 'SdkVersion' },
)

/** Schema of the body of an app server health check. */
export const appHealthBody = Type.Object({ packageName }, { title: 'AppHealthCheck' })

/** Schema of the response of an app server health check. */
export const appHealthResponse = Type.Object(
  {
    packageName: Type.String(),
    success: Type.Boolean({ description: 'False if the app server does not respond' }),
    status: Type.Enum([200, 500]),
    timestamp,
  },
  { title: 'AppHealth' },
)

/** Schema of the response of the cloud health check. */
export const healthResponse = Type.Object(
  {
    status: Type.Literal('ok'),
    timestamp,
    sessions: Type.Object({ activeCount: Type.Integer({ minimum: 0 }) }),
    uptime: Type.Number({ minimum: 0, description: 'Seconds' }),
  },
  { title: 'Health' },
)

/** Number of phone reports that are kept: per user, and in total for reports without a user. */
export const MAX_PHONE_REPORTS = { perUser: 20, withoutUser: 500 } as const

/** Maximum body size of each kind of report. */
export const MAX_PHONE_REPORT_BYTES = { feedback: 256 * 1024, error: 64 * 1024 } as const

/** Schema of the body of user feedback. */
export const feedbackBody = Type.Object(
  {
    feedback: Type.Union([Type.String({ minLength: 1 }), Type.Record(Type.String(), Type.Unknown())]),
    phoneState: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { title: 'Feedback', ...anyPart },
)

/** Schema of the response to stored feedback. */
export const feedbackResponse = Type.Object({
  success,
  data: Type.Object({ feedback: Type.Unknown() }),
  timestamp,
})

/** Schema of the query for the onboarding instructions of an app. */
export const onboardingInstructionsQuery = Type.Object({ packageName })

/** Schema of the response with the onboarding instructions of an app. */
export const onboardingInstructionsResponse = Type.Object(
  { instructions: Type.String({ description: 'Empty if the app has none' }) },
  { title: 'OnboardingInstructions' },
)

/** Schema of the query for the onboarding status of a user in an app. */
export const onboardingQuery = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 254 }),
  packageName,
})

/** Schema of the body that marks the onboarding of a user in an app as completed. */
export const completeOnboardingBody = Type.Object(
  { ...onboardingQuery.properties },
  { title: 'OnboardingDone' },
)

/** Schema of the response with the onboarding status. */
export const onboardingStatusResponse = Type.Object(
  { hasCompletedOnboarding: Type.Boolean() },
  { title: 'OnboardingStatus' },
)

/** Schema of the response to a completed onboarding. */
export const completeOnboardingResponse = Type.Object({ success, hasCompletedOnboarding: Type.Literal(true) })
