import { type CloseFrameEntry, closeFrames, ENVELOPE_SUBPROTOCOL } from '@glasses-cloud/contract'
import { glassesToken } from '../../http/auth/index.ts'
import type { Schema } from '../../http/openapi/index.ts'
import { socketPaths } from '../handshake.ts'
import { defaultLimits as limits } from '../limits.ts'

const KIB = 1024

const dialects = `A message has one of two forms with the same fields: flat, \`{ "type": …, …fields }\`, or an envelope, \`{ "type": …, "data": { …fields } }\`. The first message of a client determines its dialect: with a \`data\` object and no other field besides \`type\`, \`timestamp\` and \`sessionId\` it is the envelope. \`?dialect=flat\`, \`?dialect=envelope\` or the subprotocol \`${ENVELOPE_SUBPROTOCOL}\` (the envelope) determine it at the handshake.`

const messageLimits = `At most ${limits.messagesPerSecond} text messages a second are accepted (a message counts as one for each started ${limits.messageBytes / KIB} KiB). A text frame may have at most ${limits.textBytes / KIB} KiB, a binary frame ${limits.binaryBytes / KIB} KiB. The sender is the authenticated socket: \`packageName\`, \`userId\` and \`sessionId\` in a message are ignored, and additional fields are accepted.`

const closeCodesOf = (names: readonly (keyof typeof closeFrames)[]) =>
  ['Close codes:', ...names.map((name) => `- ${describeCloseFrame(closeFrames[name])}`)].join('\n')

const describeCloseFrame = ({ code, meaning, reconnect, advice }: CloseFrameEntry) =>
  `${code}: ${meaning}. ${reconnect ? 'Connect again' : 'Do not connect again'}${advice === undefined ? '' : `: ${advice}`}.`

/** Close frames of both sockets. */
const common = [
  'SESSION_ENDED',
  'UNRESPONSIVE',
  'PROTOCOL_ERROR',
  'INVALID_TEXT',
  'FRAME_TOO_LARGE',
  'RESTARTING',
  'SESSION_REOPENS',
  'TOO_SLOW',
] as const

const dialect = {
  type: 'string',
  enum: ['flat', 'envelope'],
  description: 'Determines the dialect at the handshake',
}

/** Describes the query and headers of a handshake. */
const binding = (handshake: { readonly query: Schema; readonly headers: Schema }) => ({
  ws: {
    method: 'GET',
    query: { type: 'object', properties: { dialect, ...handshake.query } },
    headers: { type: 'object', properties: handshake.headers },
    bindingVersion: '0.1.0',
  },
})

const text = (description: string) => ({ type: 'string', description })

/** The credentials that authenticate a socket. */
export const securitySchemes: Readonly<Record<string, Schema>> = {
  ...Object.assign({}, ...glassesToken.security.filter((each) => !('sessionCookie' in each))),
  tokenQuery: {
    type: 'httpApiKey',
    in: 'query',
    name: 'token',
    description: 'Core token or glasses token, for clients that cannot set headers',
  },
  appKeyMessage: {
    type: 'apiKey',
    in: 'password',
    description: 'API key of an app: `apiKey` of its first message, `tpa_connection_init`',
  },
  appToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'App token, from POST /api/auth/app-token, or a JWT that the operator signed (HS256, claims `packageName` and `apiKey`). The header `x-session-id` or the first message names the session',
  },
}

export interface Channel {
  readonly title: string
  /** Description of the other end. */
  readonly client: string
  readonly paths: readonly string[]
  readonly description: string
  readonly bindings: Schema
  /** Names of security schemes, any of which is sufficient. */
  readonly security: readonly string[]
}

export const channels: Readonly<Record<'glasses' | 'app', Channel>> = {
  glasses: {
    title: 'Glasses socket',
    client: 'glasses, through a phone',
    paths: socketPaths.glasses,
    description: [
      'The glasses of a user, connected through a phone. `connection_ack` is the first message they receive, apart from `ping` and `pong`; they need not send anything first.',
      `${dialects} Until glasses have sent a message, messages to them carry both forms.`,
      'A message of a type that is not described here is forwarded unchanged to the apps that subscribe to its type.',
      `${messageLimits} Audio: at most ${limits.audioBytesPerSecond} bytes a second. An invalid message is answered with \`connection_error\` and has no effect; the socket stays open.`,
      closeCodesOf([...common, 'SESSION_FAILED', 'LOGGED_OUT', 'ACCOUNT_DELETED', 'GLASSES_REPLACED']),
    ].join('\n\n'),
    bindings: binding({
      query: {
        token: text('Core token or glasses token'),
        udpEncryption: text('`true`: the cloud sends `ping` after 2 s without another message'),
      },
      headers: { authorization: text('`Bearer <token>`; takes precedence over the query') },
    }),
    security: ['coreToken', 'glassesToken', 'tokenQuery'],
  },
  app: {
    title: 'App socket',
    client: 'the server of an app',
    paths: socketPaths.app,
    description: [
      `The server of an app, for one user. It connects after its webhook received a session request, and sends \`tpa_connection_init\` within ${limits.unauthenticatedMs / 1_000} seconds unless its headers authenticate it; the cloud responds with \`tpa_connection_ack\`.`,
      `${dialects} Until an app has sent a message, messages to it are flat.`,
      `${messageLimits} Before it is authenticated, an app may send ${limits.unauthenticatedBytes / KIB} KiB. An invalid message, an unknown type and a binary frame are answered with \`tpa_connection_error\` and have no effect; the socket stays open.`,
      closeCodesOf([
        ...common,
        'APP_STOPPED',
        'APP_SOCKET_REPLACED',
        'APP_REJECTED',
        'APP_INIT_TIMEOUT',
        'APP_ADMISSION_FAILED',
        'APP_SLOT_LOST',
        'UNAUTHENTICATED_TOO_LARGE',
      ]),
    ].join('\n\n'),
    bindings: binding({
      query: {},
      headers: {
        authorization: text('`Bearer <JWT>`'),
        'x-session-id': text('`sessionId` of the session request; only with the JWT'),
      },
    }),
    security: ['appKeyMessage', 'appToken'],
  },
}
