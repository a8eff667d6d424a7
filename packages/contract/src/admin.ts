import { type Static, Type } from 'typebox'

const isoTime = Type.String({ format: 'date-time' })

/** Schema of a user as administrators see one. */
export const adminUser = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    isAdministrator: Type.Boolean(),
    suspendedAt: Type.Optional(isoTime),
    createdAt: isoTime,
  },
  { title: 'AdminUser' },
)

/** A user as administrators see one. */
export type AdminUser = Static<typeof adminUser>

/** Schema of a live session. */
export const adminSession = Type.Object(
  {
    userId: Type.String(),
    email: Type.String(),
    startedAt: isoTime,
    apps: Type.Array(Type.String(), { description: 'Package names of the running apps' }),
    node: Type.Optional(Type.String({ description: 'Name of its node; absent while no node owns it' })),
    connections: Type.Optional(
      Type.Object(
        {
          glasses: Type.Boolean({ description: 'Whether a socket of the phone is open' }),
          model: Type.Optional(Type.String({ description: 'Model of the glasses; absent if it is unknown' })),
          appSockets: Type.Integer({ description: 'Open sockets of apps' }),
          microphone: Type.Array(Type.Enum(['pcm', 'transcription']), {
            description: 'What the microphone is on for; empty while it is off',
          }),
        },
        { description: 'Absent while the session waits for its glasses, and if its node does not answer' },
      ),
    ),
  },
  { title: 'AdminSession' },
)

/** A live session. */
export type AdminSession = Static<typeof adminSession>

/** Schema of a node of the cloud. */
export const adminNode = Type.Object(
  {
    name: Type.String(),
    version: Type.String(),
    uptimeSeconds: Type.Integer(),
    sessions: Type.Integer({ description: 'Live sessions' }),
    isDraining: Type.Boolean({ description: 'Whether it shuts down and accepts no sessions' }),
  },
  { title: 'AdminNode' },
)

/** A node of the cloud. */
export type AdminNode = Static<typeof adminNode>

/** Schema of the measurements of a node in one minute. */
export const nodeSample = Type.Object(
  {
    node: Type.String({ description: 'Name of the node' }),
    at: isoTime,
    sessions: Type.Integer({ description: 'Live sessions' }),
    glassesSockets: Type.Integer(),
    appSockets: Type.Integer(),
    requests: Type.Integer({ description: 'Requests in the minute' }),
    failedRequests: Type.Integer({ description: 'Requests with a status of 500 or more' }),
    slowRequests: Type.Integer({ description: 'Requests that took more than half a second' }),
    processors: Type.Number({ description: 'Processors that were busy on average' }),
    eventLoop: Type.Number({ description: 'Share of the time in which the event loop was busy, 0 to 1' }),
    memoryBytes: Type.Integer(),
  },
  { title: 'NodeSample' },
)

/** The measurements of a node in one minute. */
export type NodeSample = Static<typeof nodeSample>

/** What happens to nodes. */
export const NODE_EVENT_KINDS = ['started', 'restarted', 'deployed', 'draining', 'stopped', 'lost'] as const

/** What happened to a node. */
export type NodeEventKind = (typeof NODE_EVENT_KINDS)[number]

/** Schema of something that happened to a node. */
export const nodeEvent = Type.Object(
  {
    id: Type.String(),
    at: isoTime,
    node: Type.String({ description: 'Name of the node' }),
    kind: Type.Enum([...NODE_EVENT_KINDS], {
      description:
        'deployed: started with another version than the last; draining: hands its sessions over; lost: ended without stopping',
    }),
    version: Type.String({ description: 'Version of the node' }),
  },
  { title: 'NodeEvent' },
)

/** Something that happened to a node. */
export type NodeEvent = Static<typeof nodeEvent>

/** Schema of the result of a check of the cloud. */
export const finding = Type.Object(
  {
    level: Type.Enum(['ok', 'note', 'error']),
    part: Type.String({ description: 'The checked part' }),
    text: Type.String({ description: 'The result and, for errors, what to do' }),
  },
  { title: 'Finding' },
)

/** The result of a check: passed, worth knowing, or an error that keeps the cloud from working. */
export type Finding = Static<typeof finding>

/** Schema of a report of a phone, or an incident. */
export const adminReport = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(['feedback', 'error', 'incident']),
    email: Type.Optional(Type.String({ description: 'Absent if the sender is unknown' })),
    createdAt: isoTime,
    content: Type.Unknown({ description: 'As the phone sent it' }),
  },
  { title: 'AdminReport' },
)

/** A report of a phone, or an incident. */
export type AdminReport = Static<typeof adminReport>

/** What the audit log records: every change by an administrator, and every reading of what users sent or do. */
export const AUDIT_ACTIONS = [
  'user.suspend',
  'user.reinstate',
  'user.promote',
  'user.confirm',
  'user.demote',
  'user.delete',
  'app.approve',
  'app.reject',
  'app.administer',
  'session.end',
  'session.list',
  'session.follow',
  'invitation.create',
  'invitation.withdraw',
  'report.list',
  'incident.list',
  'incident.open-file',
  'speech-model.install',
  'speech-model.cancel',
  'speech-model.remove',
] as const

/** An action of the audit log. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** The actor of entries that the command line of the cloud made. */
export const AUDIT_OPERATOR = 'operator'

/** Schema of an act of an administrator. */
export const auditEntry = Type.Object(
  {
    id: Type.String(),
    at: isoTime,
    actorId: Type.String({
      description:
        'Id of the administrator; operator: the command line; deleted-…: the pseudonym of a deleted account',
    }),
    actor: Type.Optional(Type.String({ description: 'E-mail address; absent if there is no such account' })),
    action: Type.String({ description: 'Such as user.suspend' }),
    target: Type.String({
      description:
        'Id of a user, an invitation or an incident, or a package name; deleted-… for a deleted user; empty for lists',
    }),
    details: Type.Record(Type.String(), Type.Unknown()),
    address: Type.String({
      description: 'Network address of the administrator; empty for the command line and deleted accounts',
    }),
    outcome: Type.Enum(['started', 'done', 'failed'], { description: 'started: was interrupted' }),
  },
  { title: 'AuditEntry' },
)

/** Schema of a setting of the cloud. */
export const adminSetting = Type.Object(
  {
    name: Type.String({ description: 'Environment variable' }),
    group: Type.String(),
    value: Type.Union([Type.String(), Type.Null()], {
      description: 'Without passwords; `[set]` for a secret',
    }),
    source: Type.Enum(['environment', 'file', 'default']),
    fallback: Type.String({ description: 'Default, as Markdown' }),
    description: Type.String({ description: 'As Markdown' }),
  },
  { title: 'AdminSetting' },
)

/** Schema of a system app. */
export const systemApp = Type.Object(
  {
    packageName: Type.String(),
    isRegistered: Type.Boolean(),
    name: Type.Optional(Type.String()),
    publicUrl: Type.Optional(Type.String()),
    isServerDown: Type.Optional(Type.Boolean()),
    isDashboard: Type.Boolean(),
  },
  { title: 'SystemApp' },
)
