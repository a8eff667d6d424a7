import {
  appToCloud,
  cloudToApp,
  cloudToGlasses,
  glassesToCloud,
  type MessageCatalogue,
  neverSentToApps,
  neverSentToGlasses,
} from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { Components, type Schema } from '../../http/openapi/index.ts'
import { type Channel, channels, securitySchemes } from './channels.ts'
import { audioMessage, type Direction, messagesOf } from './messages.ts'

interface DocumentOptions {
  readonly version: string
  /** The address at which clients reach the cloud. */
  readonly url: URL
}

const description = `The sockets of Glasses Cloud: one for glasses, one for each running app. \`receive\` operations are messages that the cloud receives, \`send\` operations are messages that it sends. Messages are JSON in text frames; audio is sent in binary frames. The cloud sends a WebSocket ping every 10 seconds and closes sockets that sent no pong for 30. JSON \`ping\` and \`pong\` are for clients that cannot see these pings. The schema of \`data\` in \`data_stream\` depends on the stream and is listed in its \`x-streams\`. Messages marked \`x-not-sent\` are known in the ecosystem but never sent by this cloud. \`/openapi.json\` describes the REST API.`

const pcm = '16-bit little-endian PCM, mono, 16 kHz, of any length'

/** Generates the AsyncAPI 3.0 document from the message schemas that the sockets validate with. */
export function asyncApiDocument({ version, url }: DocumentOptions): Schema {
  const components = new Components()
  const of = (direction: Direction, catalogue: MessageCatalogue) =>
    messagesOf(direction, catalogue, components)
  const messages: Record<Direction, Record<string, Schema>> = {
    fromGlasses: {
      ...of('fromGlasses', glassesToCloud),
      ...audioMessage(
        'fromGlasses',
        `Audio: ${pcm}; or whole LC3 frames after \`POST /api/client/audio/configure\` selected LC3.`,
      ),
    },
    toGlasses: of('toGlasses', cloudToGlasses),
    fromApp: of('fromApp', appToCloud),
    toApp: {
      ...of('toApp', cloudToApp),
      ...audioMessage('toApp', `Audio, to apps that subscribe to audio_chunk: ${pcm}, whole samples.`),
    },
  }
  const notSent = { ...of('toGlasses', neverSentToGlasses), ...of('toApp', neverSentToApps) }
  return {
    asyncapi: '3.0.0',
    info: { title: 'Glasses Cloud', version, description, license: { name: 'MIT' } },
    defaultContentType: 'application/json',
    servers: { cloud: serverOf(url) },
    channels: {
      glasses: channelOf(channels.glasses, { ...messages.fromGlasses, ...messages.toGlasses }),
      app: channelOf(channels.app, { ...messages.fromApp, ...messages.toApp }),
    },
    operations: {
      receiveFromGlasses: operationOf('receive', 'glasses', messages.fromGlasses),
      sendToGlasses: operationOf('send', 'glasses', messages.toGlasses),
      receiveFromApp: operationOf('receive', 'app', messages.fromApp),
      sendToApp: operationOf('send', 'app', messages.toApp),
    },
    components: {
      messages: {
        ...messages.fromGlasses,
        ...messages.toGlasses,
        ...messages.fromApp,
        ...messages.toApp,
        ...Object.fromEntries(
          Object.entries(notSent).map(([name, message]) => [name, { ...message, 'x-not-sent': true }]),
        ),
      },
      schemas: components.schemas,
      securitySchemes,
    },
  }
}

function serverOf({ host, pathname, protocol }: URL): Schema {
  const path = pathname.replace(/\/+$/, '')
  return {
    host,
    protocol: protocol === 'https:' ? 'wss' : 'ws',
    ...(path === '' ? {} : { pathname: path }),
  }
}

function channelOf(channel: Channel, messages: Readonly<Record<string, Schema>>): Schema {
  const [address, ...aliases] = channel.paths
  return {
    address,
    'x-aliases': aliases,
    title: channel.title,
    description: channel.description,
    servers: [{ $ref: '#/servers/cloud' }],
    bindings: channel.bindings,
    messages: Object.fromEntries(
      Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
    ),
  }
}

function operationOf(
  action: 'send' | 'receive',
  channel: keyof typeof channels,
  messages: Readonly<Record<string, Schema>>,
): Schema {
  const { client, security } = channels[channel]
  return {
    action,
    channel: { $ref: `#/channels/${channel}` },
    summary: action === 'send' ? `Messages to ${client}` : `Messages from ${client}`,
    security: security.map((name) => ({ $ref: `#/components/securitySchemes/${name}` })),
    messages: Object.keys(messages).map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` })),
  }
}

/** The document of each server, created on the first request to keep the start fast. */
const documents = new WeakMap<object, string>()

/** Serves the AsyncAPI 3.0 document of the sockets, to any origin. */
export const getAsyncApi = ({
  version,
  publicUrl,
}: {
  readonly version: string
  readonly publicUrl: () => URL
}) =>
  endpoint({
    method: 'GET',
    url: '/asyncapi.json',
    summary: 'The AsyncAPI 3.0 document of the sockets',
    tags: ['operation'],
    style: 'bare',
    auth: none,
    anyOrigin: true,
    schema: {
      response: { 200: Type.Object({ asyncapi: Type.String() }, { description: 'An AsyncAPI document' }) },
    },
    errors: [],
    handler: async ({ request: { server }, reply }) => {
      let text = documents.get(server)
      if (text === undefined) {
        text = JSON.stringify(asyncApiDocument({ version, url: publicUrl() }))
        documents.set(server, text)
      }
      return reply.header('content-type', 'application/json; charset=utf-8').send(text)
    },
  })
