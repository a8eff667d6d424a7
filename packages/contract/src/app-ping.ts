import { type Static, Type } from 'typebox'

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
