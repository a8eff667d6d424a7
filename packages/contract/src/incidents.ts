import { type Static, Type } from 'typebox'
import { feedbackBody } from './phone.ts'

/** How much of incidents is kept: of a user the newest; of each so much of logs and so many files. */
export const INCIDENT_LIMITS = {
  perUser: 10,
  logBytes: 1024 * 1024,
  files: 5,
  fileBytes: 10 * 1024 * 1024,
} as const

const success = Type.Literal(true)

/** Schema of an id in a path. */
export const incidentParams = Type.Object({ incidentId: Type.String({ minLength: 1, maxLength: 100 }) })

/** Schema of an attachment in a path. */
export const attachmentParams = Type.Object({
  ...incidentParams.properties,
  attachmentId: Type.String({ minLength: 1, maxLength: 100 }),
})

/** Schema of the body that reports an incident: what the user has to say of it, and how the phone was. */
export const incidentBody = Type.Object({ ...feedbackBody.properties }, { title: 'Incident' })

/** What a user has to say of an incident, and how the phone was. */
export type IncidentReport = Static<typeof incidentBody>

/** Schema of the answer to a reported incident, once it is stored. */
export const incidentResponse = Type.Object({ success, incidentId: Type.String() })

const logEntry = Type.Object(
  {
    timestamp: Type.Union([Type.Number(), Type.String({ maxLength: 100 })]),
    level: Type.String({ maxLength: 50 }),
    message: Type.String({ maxLength: 20_000 }),
    source: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { title: 'LogEntry' },
)

/** Schema of logs that belong to an incident. */
export const incidentLogs = Type.Object(
  {
    source: Type.Optional(
      Type.String({
        pattern: '^[^\\x00-\\x1f\\x7f]*$',
        maxLength: 50,
        description: 'Who wrote them; phone if absent',
      }),
    ),
    logs: Type.Array(logEntry, { maxItems: 5_000 }),
  },
  { title: 'IncidentLogs' },
)

/** Logs that belong to an incident. */
export type IncidentLogs = Static<typeof incidentLogs>

/** Schema of the answer to logs, once they are stored. */
export const incidentLogsResponse = Type.Object({ success })

/** Schema of the answer to attachments: which are stored, and what became of the others. */
export const attachmentsResponse = Type.Object(
  {
    success,
    uploaded: Type.Array(Type.Object({ filename: Type.String() })),
    errors: Type.Array(Type.Object({ filename: Type.String(), error: Type.String() })),
  },
  { title: 'Attachments' },
)
