import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import official from '@asyncapi/specs/schemas/3.0.0.json' with { type: 'json' }
import {
  appSocketErrors,
  appToCloud,
  closeFrames,
  cloudToApp,
  cloudToGlasses,
  dataStreams,
  encode,
  glassesSocketErrors,
  glassesToCloud,
  type MessageCatalogue,
  neverSentToApps,
  neverSentToGlasses,
} from '@glasses-cloud/contract'
import { Ajv, type AnySchema } from 'ajv'
import formats from 'ajv-formats'
import { asyncApiDocument } from '../../src/sockets/index.ts'
import { type AsyncApiDocument, AsyncApiValidator } from '../support/asyncapi-validator.ts'
import { type LocalCloud, startCloud, suiteScope } from '../support/test-cloud.ts'

const closeCodes = new Set<number>(Object.values(closeFrames).map(({ code }) => code))

interface Message {
  readonly name: string
  readonly contentType?: string
  readonly 'x-not-sent'?: boolean
  readonly 'x-streams'?: Readonly<Record<string, object>>
  readonly payload: { readonly anyOf?: readonly unknown[] }
}

interface Operation {
  readonly action: string
  readonly channel: { readonly $ref: string }
  readonly security: readonly { readonly $ref: string }[]
  readonly messages: readonly { readonly $ref: string }[]
}

interface Document {
  readonly servers: Readonly<Record<string, object>>
  readonly channels: Readonly<
    Record<
      string,
      {
        readonly address: string
        readonly description: string
        readonly 'x-aliases': readonly string[]
        readonly messages: Readonly<Record<string, { readonly $ref: string }>>
        readonly bindings: {
          readonly ws: Readonly<Record<'query' | 'headers', { readonly properties: object }>>
        }
      }
    >
  >
  readonly operations: Readonly<Record<string, Operation>>
  readonly components: { readonly messages: Readonly<Record<string, Message>> }
}

const catalogues: Readonly<Record<string, { action: string; channel: string; catalogue: MessageCatalogue }>> =
  {
    receiveFromGlasses: { action: 'receive', channel: 'glasses', catalogue: glassesToCloud },
    sendToGlasses: { action: 'send', channel: 'glasses', catalogue: cloudToGlasses },
    receiveFromApp: { action: 'receive', channel: 'app', catalogue: appToCloud },
    sendToApp: { action: 'send', channel: 'app', catalogue: cloudToApp },
  }

/** The JSON Schema that the AsyncAPI project publishes for its version 3.0. */
function officialValidator() {
  // It brings the meta-schema of JSON Schema with it.
  const ajv = new Ajv({ meta: false, strict: false })
  formats.default(ajv)
  return ajv.compile(official as AnySchema)
}

/** Everything a value refers to. */
function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    key === '$ref' && typeof part === 'string' ? [part] : references(part),
  )
}

/** What a reference points at. */
const resolve = (document: object, reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document)

describe('the sockets described', () => {
  const scope = suiteScope()
  let cloud: LocalCloud
  let document: Document

  before(async () => {
    cloud = await startCloud(scope)
    document = (await cloud.request<Document>('GET', '/asyncapi.json')).body
  })

  test('ASY-1: it is valid AsyncAPI 3.0, open to everybody', async () => {
    const answer = await cloud.request('GET', '/asyncapi.json')
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    const validate = officialValidator()
    assert.ok(validate(document), JSON.stringify(validate.errors))
    const broken = { ...document, operations: { x: { action: 'shout' } } }
    assert.equal(validate(broken), false, 'the validator takes anything')
  })

  test('ASY-1: what it refers to is in it', () => {
    const all = references(document)
    assert.ok(all.length > 400)
    for (const reference of all) {
      assert.match(reference, /^#\//)
      assert.ok(resolve(document, reference), reference)
    }
  })

  test('ASY-1: it is found from the description of REST', async () => {
    const { body } = await cloud.request<{ externalDocs: { url: string } }>('GET', '/openapi.json')
    assert.equal(body.externalDocs.url, `${cloud.url}/asyncapi.json`)
  })

  test('ASY-2: it names the server, its sockets and their paths', () => {
    assert.deepEqual(document.servers, { cloud: { host: new URL(cloud.url).host, protocol: 'ws' } })
    const behind = asyncApiDocument({ version: '1', url: new URL('https://cloud.example/glasses/') })
    assert.deepEqual(behind.servers, {
      cloud: { host: 'cloud.example', protocol: 'wss', pathname: '/glasses' },
    })
    const paths = Object.values(document.channels).map(({ address, 'x-aliases': more }) => [address, ...more])
    assert.deepEqual(paths, [
      ['/glasses-ws', '/ws/client'],
      ['/app-ws', '/ws/miniapp'],
    ])
  })

  test('ASY-2: it names what opens a socket, and what a handshake may hold', () => {
    const openers = Object.fromEntries(
      Object.values(document.operations).map(({ channel, security }) => [
        channel.$ref,
        security.map(({ $ref }) => $ref.split('/').at(-1)),
      ]),
    )
    assert.deepEqual(openers, {
      '#/channels/glasses': ['coreToken', 'glassesToken', 'tokenQuery'],
      '#/channels/app': ['appKeyMessage', 'appToken'],
    })
    const parts = (name: string) => {
      const { query, headers } = document.channels[name]?.bindings.ws ?? assert.fail(name)
      return [Object.keys(query.properties), Object.keys(headers.properties)]
    }
    assert.deepEqual(parts('glasses'), [['dialect', 'token'], ['authorization']])
    assert.deepEqual(parts('app'), [['dialect'], ['authorization', 'x-user-id', 'x-session-id']])
  })

  test('ASY-2: every close code is with a socket, and what to do', () => {
    const said = Object.values(document.channels).flatMap(({ description }) => [
      ...description.matchAll(/^- (\d+): .+\. (Do not connect|Connect) again(: .+)?\.$/gm),
    ])
    const codes = new Set(said.map(([, code]) => Number(code)))
    assert.deepEqual([...codes].sort(), [...closeCodes].sort())
  })

  for (const [name, { action, channel, catalogue }] of Object.entries(catalogues)) {
    test(`ASY-3: ${name} has every type of its catalogue, in both forms`, () => {
      const operation = document.operations[name] ?? assert.fail(name)
      assert.deepEqual([operation.action, operation.channel.$ref], [action, `#/channels/${channel}`])
      const messages = operation.messages.map(
        ({ $ref }) => resolve(document, (resolve(document, $ref) as { $ref: string }).$ref) as Message,
      )
      const sound = messages.filter(({ contentType }) => contentType === 'application/octet-stream')
      const heard = name === 'receiveFromGlasses' || name === 'sendToApp'
      assert.equal(sound.length, heard ? 1 : 0)
      const spoken = messages.filter((message) => !sound.includes(message))
      assert.deepEqual(spoken.map((message) => message.name).sort(), Object.keys(catalogue).sort())
      for (const { payload } of spoken) assert.equal(payload.anyOf?.length, 2)
    })
  }

  test('ASY-3: what the frames of a stream hold is described by stream', () => {
    for (const name of ['toApp.data_stream', 'toGlasses.data_stream']) {
      const streams = document.components.messages[name]?.['x-streams'] ?? {}
      assert.deepEqual(Object.keys(streams).sort(), Object.keys(dataStreams).sort())
    }
  })

  test('ASY-4: what is never sent is marked, and no operation has it', () => {
    const marked = Object.entries(document.components.messages)
      .filter(([, message]) => message['x-not-sent'])
      .map(([name]) => name)
    const expected = [
      ...Object.keys(neverSentToGlasses).map((type) => `toGlasses.${type}`),
      ...Object.keys(neverSentToApps).map((type) => `toApp.${type}`),
    ]
    assert.deepEqual(marked, expected)
    const sent = Object.values(document.channels).flatMap(({ messages }) => Object.keys(messages))
    assert.deepEqual(
      marked.filter((name) => sent.includes(name)),
      [],
    )
  })

  test('ASY-5: a frame that the document does not know is found', () => {
    const held = new AsyncApiValidator(document as unknown as AsyncApiDocument)
    const stopped = { type: 'app_stopped', packageName: 'a', reason: 'error', timestamp: 'now' }
    for (const dialect of ['flat', 'envelope', 'both'] as const)
      held.check('sendToGlasses', dialect, encode(stopped, dialect))
    const check = (dialect: 'flat' | 'envelope' | 'both', text: string) => () =>
      held.check('sendToGlasses', dialect, text)
    assert.throws(check('envelope', encode(stopped, 'flat')), /'data'/)
    assert.throws(check('flat', encode(stopped, 'envelope')), /'packageName'/)
    assert.throws(check('both', encode(stopped, 'flat')), /'data'/)
    assert.throws(check('flat', encode({ ...stopped, reason: 7 }, 'flat')), /must be string/)
    assert.throws(check('flat', '{"type":"ping"}'), /knows no such type/)
    assert.throws(check('flat', '{"type":"tpa_connection_ack"}'), /knows no such type/)
    const pressed = (data: object) => ({
      ...stopped,
      type: 'data_stream',
      streamType: 'button_press',
      sessionId: 's',
      data,
    })
    for (const dialect of ['flat', 'envelope'] as const) {
      const known = { type: 'button_press', buttonId: 'main', pressType: 'short' }
      held.check('sendToApp', dialect, encode(pressed(known), dialect))
      const odd = encode(pressed({ ...known, buttonId: 7 }), dialect)
      assert.throws(() => held.check('sendToApp', dialect, odd), /its data\/buttonId must be string/)
    }
  })

  test('ASY-11: the page for authors says the same', async () => {
    const page = await readFile(new URL('../../../../docs/sockets.md', import.meta.url), 'utf8')
    const codes = [...page.matchAll(/^\| (\d{4}(?:, \d{4})*) \|/gm)].flatMap(([, listed = '']) =>
      listed.split(', ').map(Number),
    )
    assert.deepEqual(codes.sort(), [...closeCodes].sort())
    for (const code of Object.keys({ ...glassesSocketErrors, ...appSocketErrors }))
      assert.ok(page.includes(`\`${code}\``), code)
    const unserved = [
      ...Object.keys({ ...neverSentToGlasses, ...neverSentToApps }),
      'livekit_init',
      'udp_register',
      'udp_unregister',
      'app_user_discovery',
    ]
    for (const type of unserved) assert.ok(page.includes(`\`${type}\``), type)
  })
})
