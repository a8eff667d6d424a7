import { type Static, Type } from 'typebox'
import { nodeCall } from '../../bus/index.ts'
import { ownedSession } from '../../session-host/index.ts'

/** Time for the owner to attach a socket, including the start of its session. */
const ATTACH_TIMEOUT_MS = 5_000

const attachRequest = Type.Object({
  ...ownedSession.properties,
  link: Type.Integer({ description: 'Number of the socket at the sender' }),
  dialect: Type.Optional(Type.Enum(['flat', 'envelope'])),
})

/** A request to attach a socket of the sender. */
export type AttachRequest = Static<typeof attachRequest>

const attachGlassesRequest = Type.Object({
  ...attachRequest.properties,
  userAgent: Type.Optional(Type.String({ description: 'The program of the phone' })),
})

export type AttachGlassesRequest = Static<typeof attachGlassesRequest>

const attachAppRequest = Type.Object({
  ...attachRequest.properties,
  packageName: Type.String(),
  address: Type.String(),
  sdk: Type.String({ description: 'The generation of the SDK of the app' }),
})

export type AttachAppRequest = Static<typeof attachAppRequest>

const attachResult = Type.Union([
  Type.Object({
    kind: Type.Enum(['attached', 'gone'], {
      description: '`gone`: the node does not own the session in this epoch',
    }),
  }),
  Type.Object({
    kind: Type.Literal('rejected'),
    rejection: Type.Object({
      ok: Type.Literal(false),
      code: Type.Enum(['INVALID_API_KEY', 'SESSION_NOT_FOUND', 'APP_NOT_STARTED']),
      message: Type.String(),
    }),
  }),
])

export type AttachResult = Static<typeof attachResult>

export const attachGlasses = nodeCall({
  name: 'attach glasses',
  argument: attachGlassesRequest,
  result: attachResult,
  timeoutMs: ATTACH_TIMEOUT_MS,
})

export const attachApp = nodeCall({
  name: 'attach app',
  argument: attachAppRequest,
  result: attachResult,
  timeoutMs: ATTACH_TIMEOUT_MS,
})

/** Returns whether glasses respond whose socket is at the receiver. */
export const isGlassesAlive = nodeCall({
  name: 'glasses alive',
  argument: Type.Object({ link: Type.Integer({ description: 'Number of the socket at the receiver' }) }),
  result: Type.Boolean(),
  timeoutMs: ATTACH_TIMEOUT_MS,
})

/** Reports an invalid API key to the owner of a session. */
export const invalidAppKey = nodeCall({
  name: 'invalid app key',
  argument: Type.Object({ userSessionId: Type.String(), packageName: Type.String() }),
  result: Type.Void(),
  timeoutMs: ATTACH_TIMEOUT_MS,
})
