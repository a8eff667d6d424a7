import { type Static, Type } from 'typebox'
import { hardwareRequirement } from './compatibility.ts'
import { permission } from './permissions.ts'

const success = Type.Literal(true)
const timestamp = Type.String({ format: 'date-time' })
const packageName = Type.String({ minLength: 1, maxLength: 300 })

/** Schema of an app as the home screen of a phone shows it (glasses socket protocol, 3.5). */
export const applet = Type.Object(
  {
    packageName: Type.String(),
    name: Type.String(),
    webviewUrl: Type.String({ description: 'Empty without one' }),
    logoUrl: Type.String({ description: 'Empty without one' }),
    // Phones compare it in lower case (decision C1).
    type: Type.Enum(['standard', 'background', 'system_dashboard']),
    permissions: Type.Array(permission),
    running: Type.Boolean(),
    healthy: Type.Boolean({ description: "False while the app's server is known to be down" }),
    hardwareRequirements: Type.Array(hardwareRequirement),
  },
  { title: 'Applet' },
)

/** An app as the home screen of a phone shows it. */
export type Applet = Static<typeof applet>

/** Schema of the answer with the apps of the home screen. */
export const appletsResponse = Type.Object({ success, data: Type.Array(applet), timestamp })

const version = Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+$' })

/** Schema of the versions of the phone app that a cloud asks for. */
export const minVersionResponse = Type.Object(
  {
    success,
    data: Type.Object({
      required: { ...version, description: 'Older ones must be updated' },
      recommended: { ...version, description: 'Users of older ones are asked to update' },
    }),
    timestamp,
  },
  { title: 'MinVersion' },
)

/** Schema of the versions of the app SDK that a cloud works with. */
export const sdkVersionResponse = Type.Object(
  { success, data: Type.Object({ required: version, latest: version }), timestamp },
  { title: 'SdkVersion' },
)

/** Schema of the body that asks after the server of an app. */
export const appHealthBody = Type.Object({ packageName }, { title: 'AppHealthCheck' })

/** Schema of the answer how the server of an app is. */
export const appHealthResponse = Type.Object(
  {
    packageName: Type.String(),
    success: Type.Boolean({ description: 'False only while the server is known to be down' }),
    status: Type.Enum([200, 500]),
    timestamp,
  },
  { title: 'AppHealth' },
)

/** Schema of the answer how the cloud is. */
export const healthResponse = Type.Object(
  {
    status: Type.Literal('ok'),
    timestamp,
    sessions: Type.Object({ activeCount: Type.Integer({ minimum: 0 }) }),
    uptime: Type.Number({ minimum: 0, description: 'Seconds' }),
  },
  { title: 'Health' },
)

/** How much of what phones report is kept: the newest of each user, the newest of nobody in particular. */
export const MAX_PHONE_REPORTS = { perUser: 20, withoutUser: 500 } as const

/** The largest bodies in bytes. */
export const MAX_PHONE_REPORT_BYTES = { feedback: 256 * 1024, error: 64 * 1024 } as const

/** Schema of the body of a user's feedback. */
export const feedbackBody = Type.Object(
  {
    feedback: Type.Union([Type.String({ minLength: 1 }), Type.Record(Type.String(), Type.Unknown())]),
    phoneState: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { title: 'Feedback' },
)

/** Schema of the answer to feedback, once it is stored. */
export const feedbackResponse = Type.Object({
  success,
  data: Type.Object({ feedback: Type.Unknown() }),
  timestamp,
})

/** Schema of the query for what new users of an app are told. */
export const onboardingInstructionsQuery = Type.Object({ packageName })

/** Schema of what new users of an app are told. */
export const onboardingInstructionsResponse = Type.Object(
  { instructions: Type.String({ description: 'Empty if the app has nothing to say' }) },
  { title: 'OnboardingInstructions' },
)

/** Schema of the query for whether a user has been introduced to an app. */
export const onboardingQuery = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 254 }),
  packageName,
})

/** Schema of the body that says a user has been introduced to an app. */
export const completeOnboardingBody = Type.Object(
  { ...onboardingQuery.properties },
  { title: 'OnboardingDone' },
)

/** Schema of the answer whether a user has been introduced to an app. */
export const onboardingStatusResponse = Type.Object(
  { hasCompletedOnboarding: Type.Boolean() },
  { title: 'OnboardingStatus' },
)

/** Schema of the answer that this is stored. */
export const completeOnboardingResponse = Type.Object({ success, hasCompletedOnboarding: Type.Literal(true) })
