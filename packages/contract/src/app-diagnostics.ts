import { type Static, Type } from 'typebox'

/** Kinds of entries in the log of an app. */
export const APP_LOG_KINDS = ['start', 'webhook', 'socket', 'rejected', 'wake_word', 'dropped'] as const

/** Schema of an entry in the log of an app. It contains nothing that users say, see or send. */
export const appLogEntry = Type.Object(
  {
    id: Type.String({ description: 'Grows with time' }),
    at: Type.String({ format: 'date-time' }),
    level: Type.Enum(['info', 'error']),
    kind: Type.Enum(APP_LOG_KINDS, {
      description:
        'start: a stage of a start or the end of an app session. webhook: a call of the app server. socket: an app socket opened or closed. rejected: an error that was sent to the app. wake_word: a phrase that is not detected in the audio. dropped: entries beyond the limit',
    }),
    event: Type.String({
      description:
        'start: requested, running, failed, given_up or stopped. webhook: session_request or stop_request. socket: opened or closed. rejected: the code of the error. wake_word: unavailable',
    }),
    message: Type.Optional(Type.String()),
    session: Type.Optional(
      Type.String({ description: 'First characters of the user session id; the same for one session' }),
    ),
    attempt: Type.Optional(Type.Integer({ description: 'webhook: 1 for the first call of a start' })),
    status: Type.Optional(Type.Integer({ description: 'webhook: status of the response' })),
    code: Type.Optional(
      Type.Union([Type.String(), Type.Integer()], {
        description: 'The failure, or the close code of the socket',
      }),
    ),
    stage: Type.Optional(Type.String({ description: 'start: the stage that failed' })),
    durationMs: Type.Optional(Type.Integer({ description: 'webhook: until the response arrived' })),
    count: Type.Optional(Type.Integer({ description: 'dropped: number of entries' })),
  },
  { title: 'AppLogEntry' },
)

/** An entry in the log of an app. */
export type AppLogEntry = Static<typeof appLogEntry>

/** Schema of the use of an app on one day. */
export const appUsageDay = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'UTC' }),
    users: Type.Integer({ description: 'Users for whom the app started' }),
    sessions: Type.Integer({ description: 'Starts that succeeded' }),
    errors: Type.Integer({ description: 'Entries of the log with the level error' }),
  },
  { title: 'AppUsageDay' },
)

/** What happens to apps. */
export const APP_EVENT_KINDS = [
  'published',
  'unpublished',
  'submitted',
  'rejected',
  'permissions',
  'server_down',
  'server_up',
  'key_made',
  'key_revoked',
] as const

/** What happened to an app. */
export type AppEventKind = (typeof APP_EVENT_KINDS)[number]

/** Schema of something that happened to an app. */
export const appEvent = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    kind: Type.Enum([...APP_EVENT_KINDS], { description: 'permissions: the app declares new ones' }),
  },
  { title: 'AppEvent' },
)

/** Something that happened to an app. */
export type AppEvent = Static<typeof appEvent>

/** The hops between the cloud and an app, in the order in which they are tested. */
export const PING_HOPS = ['name', 'address', 'tls', 'webhook', 'signature', 'socket', 'key'] as const

/** Schema of the test of one hop. */
export const pingHop = Type.Object(
  {
    hop: Type.Enum([...PING_HOPS]),
    status: Type.Enum(['passed', 'failed', 'skipped', 'info'], {
      description: '`info`: nothing is broken, but there is something to know',
    }),
    message: Type.String({ description: 'What was found, or why the hop was skipped' }),
    action: Type.Optional(Type.String({ description: 'What to do about it' })),
    durationMs: Type.Integer({ minimum: 0 }),
  },
  { title: 'PingHop' },
)

/** The test of one hop. */
export type PingHop = Static<typeof pingHop>

/** Schema of the test of the connection between the cloud and an app. */
export const appPing = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether no hop failed' }),
    failedHop: Type.Optional(Type.Enum([...PING_HOPS])),
    hops: Type.Array(pingHop),
  },
  { title: 'AppPing' },
)

/** The test of the connection between the cloud and an app. */
export type AppPing = Static<typeof appPing>
