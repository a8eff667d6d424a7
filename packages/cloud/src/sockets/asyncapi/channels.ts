import { ENVELOPE_SUBPROTOCOL } from '@glasses-cloud/contract'
import { glassesToken } from '../../http/auth/index.ts'
import type { Schema } from '../../http/openapi/index.ts'
import { type Closing, closeCodes, closings } from '../close-codes.ts'
import { defaultLimits as limits } from '../limits.ts'
import { socketPaths } from '../paths.ts'

const KIB = 1024

const dialects = `A message has one of two forms with the same fields: flat, \`{ "type": …, …fields }\`, or an envelope, \`{ "type": …, "data": { …fields } }\`. The first message of a client settles its dialect: with a \`data\` object and no other field beside \`type\`, \`timestamp\` and \`sessionId\` it is the envelope. \`?dialect=flat\`, \`?dialect=envelope\` or the subprotocol \`${ENVELOPE_SUBPROTOCOL}\` (the envelope) settle it at the handshake.`

const bounds = `At most ${limits.messagesPerSecond} text messages a second (one of more than ${limits.messageBytes / KIB} KiB counts as one for each of these begun), a text frame holds at most ${limits.textBytes / KIB} KiB, a binary frame ${limits.binaryBytes / KIB} KiB. Who speaks is the authenticated socket: \`packageName\`, \`userId\` and \`sessionId\` in a message change nothing, and fields that are not described here are no error.`

const ending = (names: readonly (keyof typeof closeCodes)[]) =>
  ['Close codes:', ...names.map((name) => `- ${closeCodes[name]}: ${sentenceOf(closings[name])}`)].join('\n')

const sentenceOf = ({ meaning, reconnect, advice }: Closing) =>
  `${meaning}. ${reconnect ? 'Connect again' : 'Do not connect again'}${advice === undefined ? '' : `: ${advice}`}.`

/** The codes of both sockets. */
const common = [
  'DONE',
  'UNRESPONSIVE',
  'BROKEN_FRAME',
  'BROKEN_TEXT',
  'TOO_BIG',
  'RESTART',
  'TOO_SLOW',
] as const

const dialect = { type: 'string', enum: ['flat', 'envelope'], description: 'Settles the dialect at once' }

/** What a handshake may hold besides its path. */
const binding = (parts: { readonly query: Schema; readonly headers: Schema }) => ({
  ws: {
    method: 'GET',
    query: { type: 'object', properties: { dialect, ...parts.query } },
    headers: { type: 'object', properties: parts.headers },
    bindingVersion: '0.1.0',
  },
})

const text = (description: string) => ({ type: 'string', description })

/** How the document names the credentials that open a socket. */
export const securitySchemes: Readonly<Record<string, Schema>> = {
  ...Object.assign({}, ...glassesToken.security),
  tokenQuery: {
    type: 'httpApiKey',
    in: 'query',
    name: 'token',
    description: 'Either token, from clients that cannot set headers',
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
      'HS256 with the secret of the cloud, claims `packageName` and `apiKey`; with the headers `x-user-id` and `x-session-id`',
  },
}

/** A socket as the document describes it. */
export interface Channel {
  readonly title: string
  /** Who is at the other end. */
  readonly client: string
  readonly paths: readonly string[]
  readonly description: string
  readonly bindings: Schema
  /** Names of the security schemes, any of which opens it. */
  readonly security: readonly string[]
}

/** The two sockets. */
export const channels: Readonly<Record<'glasses' | 'app', Channel>> = {
  glasses: {
    title: 'Glasses socket',
    client: 'glasses, through a phone',
    paths: socketPaths.glasses,
    description: [
      'The glasses of a user, through a phone. `connection_ack` is the first message they get; they need not say anything.',
      `${dialects} Until glasses have spoken, messages to them carry both forms.`,
      'A message of a type that is not described here goes, as it is, to the apps that subscribed to its name.',
      `${bounds} Sound: at most ${limits.audioBytesPerSecond} bytes a second. A bad message is answered with \`connection_error\` and has no effect; the socket stays open.`,
      ending([...common, 'FAILED', 'TOKEN_REVOKED', 'REPLACED']),
    ].join('\n\n'),
    bindings: binding({
      query: { token: text('Core token or glasses token') },
      headers: { authorization: text('`Bearer <token>`; counts before the query') },
    }),
    security: ['coreToken', 'glassesToken', 'tokenQuery'],
  },
  app: {
    title: 'App socket',
    client: 'the server of an app',
    paths: socketPaths.app,
    description: [
      `The server of an app, for one user. It connects when it is called with a session request, and says \`tpa_connection_init\` within ${limits.unauthenticatedMs / 1_000} seconds, unless its headers have introduced it; \`tpa_connection_ack\` is the answer.`,
      `${dialects} Until an app has spoken, messages to it are flat.`,
      `${bounds} Before it is authenticated, an app may send ${limits.unauthenticatedBytes / KIB} KiB. A bad message, an unknown type and a binary frame are answered with \`tpa_connection_error\` and have no effect; the socket stays open.`,
      ending([...common, 'REFUSED']),
    ].join('\n\n'),
    bindings: binding({
      query: {},
      headers: {
        authorization: text('`Bearer <JWT>`'),
        'x-user-id': text('E-mail of the user; with the JWT alone'),
        'x-session-id': text('`sessionId` of the session request; with the JWT alone'),
      },
    }),
    security: ['appKeyMessage', 'appToken'],
  },
}
