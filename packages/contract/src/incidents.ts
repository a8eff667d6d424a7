import { type Static, Type } from 'typebox'
import { feedbackBody } from './phone.ts'
import { SHORT_LINE_PATTERN, SINGLE_LINE_PATTERN } from './size-limits.ts'
import { anyPart, shortened } from './tolerant-reader.ts'

/** Number of incidents kept per user; log bytes, files and bytes per file of each incident. */
export const INCIDENT_LIMITS = {
  perUser: 10,
  logBytes: 1024 * 1024,
  files: 5,
  fileBytes: 10 * 1024 * 1024,
} as const

const success = Type.Literal(true)

/** Schema of the path parameters of an incident. */
export const incidentParams = Type.Object({ incidentId: Type.String({ minLength: 1, maxLength: 100 }) })

/** Schema of the path parameters of an attachment. */
export const attachmentParams = Type.Object({
  ...incidentParams.properties,
  attachmentId: Type.String({ pattern: SHORT_LINE_PATTERN }),
})

/** Schema of the body that reports an incident: the user's feedback and the state of the phone. */
export const incidentBody = Type.Object({ ...feedbackBody.properties }, { title: 'Incident', ...anyPart })

/** A reported incident: the user's feedback and the state of the phone. */
export type IncidentReport = Static<typeof incidentBody>

/** Schema of the response to a stored incident. */
export const incidentResponse = Type.Object({ success, incidentId: Type.String() })

const logEntry = Type.Object(
  {
    timestamp: Type.Optional(Type.Union([Type.Number(), Type.String({ maxLength: 100 })])),
    level: Type.Optional(shortened(50)),
    message: Type.Optional(shortened(20_000)),
    source: Type.Optional(shortened(200)),
  },
  { title: 'LogEntry' },
)

/** Schema of the logs of an incident. */
export const incidentLogs = Type.Object(
  {
    source: Type.Optional(
      Type.String({
        pattern: SINGLE_LINE_PATTERN,
        maxLength: 50,
        description: 'Origin of the logs; default phone',
      }),
    ),
    logs: Type.Array(logEntry, { maxItems: 5_000 }),
  },
  { title: 'IncidentLogs', ...anyPart },
)

/** The logs of an incident. */
export type IncidentLogs = Static<typeof incidentLogs>

/** Schema of the response to stored logs. */
export const incidentLogsResponse = Type.Object({ success })

/** Schema of the response to uploaded attachments: the stored ones, and an error for each of the others. */
export const attachmentsResponse = Type.Object(
  {
    success,
    uploaded: Type.Array(Type.Object({ filename: Type.String() })),
    errors: Type.Array(Type.Object({ filename: Type.String(), error: Type.String() })),
  },
  { title: 'Attachments' },
)
