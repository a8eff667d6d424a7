import {
  appToCloud,
  cloudToApp,
  cloudToGlasses,
  glassesToCloud,
  type MessageCatalogue,
  neverToApps,
  neverToGlasses,
} from '@glasses-cloud/contract'
import { Components, type Schema } from '../../http/openapi/index.ts'
import { type Channel, channels, securitySchemes } from './channels.ts'
import { type Direction, messagesOf, soundOf } from './messages.ts'

/** What a document says of the cloud besides its messages. */
export interface DocumentFacts {
  readonly version: string
  /** Where clients reach the cloud. */
  readonly url: URL
}

const description = `The sockets of Glasses Cloud: one for glasses, one for each running app. \`receive\` is what the cloud reads, \`send\` what it says. Messages are JSON in text frames, sound is in binary frames. The cloud pings every ten seconds, as the WebSocket protocol has it, and closes who has not answered for thirty. What the \`data\` of \`data_stream\` holds depends on the stream, and stands in its \`x-streams\`. Messages marked \`x-not-sent\` are known in the ecosystem and never sent by this cloud. REST is described by \`/openapi.json\`.`

const pcm = '16-bit little-endian PCM, mono, 16 kHz, of any length'

/** Derives the AsyncAPI 3.0 document from the catalogues that the sockets check messages with. */
export function asyncApiDocument({ version, url }: DocumentFacts): Schema {
  const components = new Components()
  const of = (direction: Direction, catalogue: MessageCatalogue) =>
    messagesOf(direction, catalogue, components)
  const said: Record<Direction, Record<string, Schema>> = {
    fromGlasses: {
      ...of('fromGlasses', glassesToCloud),
      ...soundOf(
        'fromGlasses',
        `Sound: ${pcm}; or whole frames of LC3, once \`POST /api/client/audio/configure\` has said so.`,
      ),
    },
    toGlasses: of('toGlasses', cloudToGlasses),
    fromApp: of('fromApp', appToCloud),
    toApp: {
      ...of('toApp', cloudToApp),
      ...soundOf('toApp', `Sound, to apps that listen to audio_chunk: ${pcm}, whole samples.`),
    },
  }
  const unsaid = { ...of('toGlasses', neverToGlasses), ...of('toApp', neverToApps) }
  return {
    asyncapi: '3.0.0',
    info: { title: 'Glasses Cloud', version, description, license: { name: 'MIT' } },
    defaultContentType: 'application/json',
    servers: { cloud: serverOf(url) },
    channels: {
      glasses: channelOf(channels.glasses, { ...said.fromGlasses, ...said.toGlasses }),
      app: channelOf(channels.app, { ...said.fromApp, ...said.toApp }),
    },
    operations: {
      receiveFromGlasses: operationOf('receive', 'glasses', said.fromGlasses),
      sendToGlasses: operationOf('send', 'glasses', said.toGlasses),
      receiveFromApp: operationOf('receive', 'app', said.fromApp),
      sendToApp: operationOf('send', 'app', said.toApp),
    },
    components: {
      messages: {
        ...said.fromGlasses,
        ...said.toGlasses,
        ...said.fromApp,
        ...said.toApp,
        ...Object.fromEntries(
          Object.entries(unsaid).map(([name, message]) => [name, { ...message, 'x-not-sent': true }]),
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
    summary: action === 'send' ? `What the cloud says to ${client}` : `What the cloud reads from ${client}`,
    security: security.map((name) => ({ $ref: `#/components/securitySchemes/${name}` })),
    messages: Object.keys(messages).map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` })),
  }
}
