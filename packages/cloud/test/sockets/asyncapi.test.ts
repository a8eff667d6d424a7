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
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

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

/** A validator for the official JSON Schema of AsyncAPI 3.0. */
function officialValidator() {
  // The document contains the JSON Schema meta-schema.
  const ajv = new Ajv({ meta: false, strict: false })
  formats.default(ajv)
  return ajv.compile(official as AnySchema)
}

/** All `$ref` values within a value. */
function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    key === '$ref' && typeof part === 'string' ? [part] : references(part),
  )
}

/** The value that a local reference points to. */
const resolve = (document: object, reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document)

describe('AsyncAPI document', () => {
  const scope = suiteScope()
  let cloud: LocalCloud
  let document: Document

  before(async () => {
    cloud = await startCloud(scope)
    document = (await cloud.request<Document>('GET', '/asyncapi.json')).body
  })

  test('ASY-1: the document is valid AsyncAPI 3.0 and public', async () => {
    const response = await cloud.request('GET', '/asyncapi.json')
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    const validate = officialValidator()
    assert.ok(validate(document), JSON.stringify(validate.errors))
    const broken = { ...document, operations: { x: { action: 'shout' } } }
    assert.equal(validate(broken), false, 'the validator accepts an invalid document')
  })

  test('ASY-1: every reference resolves within the document', () => {
    const all = references(document)
    assert.ok(all.length > 400)
    for (const reference of all) {
      assert.match(reference, /^#\//)
      assert.ok(resolve(document, reference), reference)
    }
  })

  test('ASY-1: the OpenAPI document links to it', async () => {
    const { body } = await cloud.request<{ externalDocs: { url: string } }>('GET', '/openapi.json')
    assert.equal(body.externalDocs.url, `${cloud.url}/asyncapi.json`)
  })

  test('ASY-2: the document lists the server, its sockets and their paths', () => {
    assert.deepEqual(document.servers, { cloud: { host: new URL(cloud.url).host, protocol: 'ws' } })
    const proxied = asyncApiDocument({ version: '1', url: new URL('https://cloud.example/glasses/') })
    assert.deepEqual(proxied.servers, {
      cloud: { host: 'cloud.example', protocol: 'wss', pathname: '/glasses' },
    })
    const paths = Object.values(document.channels).map(({ address, 'x-aliases': more }) => [address, ...more])
    assert.deepEqual(paths, [
      ['/glasses-ws', '/ws/client'],
      ['/app-ws', '/tpa-ws', '/ws/miniapp'],
    ])
  })

  test('ASY-2: the document lists the security schemes and handshake parameters of each socket', () => {
    const security = Object.fromEntries(
      Object.values(document.operations).map(({ channel, security }) => [
        channel.$ref,
        security.map(({ $ref }) => $ref.split('/').at(-1)),
      ]),
    )
    assert.deepEqual(security, {
      '#/channels/glasses': ['coreToken', 'glassesToken', 'tokenQuery'],
      '#/channels/app': ['appKeyMessage', 'appToken'],
    })
    const bindings = (name: string) => {
      const { query, headers } = document.channels[name]?.bindings.ws ?? assert.fail(name)
      return [Object.keys(query.properties), Object.keys(headers.properties)]
    }
    assert.deepEqual(bindings('glasses'), [['dialect', 'token', 'udpEncryption'], ['authorization']])
    assert.deepEqual(bindings('app'), [['dialect'], ['authorization', 'x-session-id']])
  })

  test('ASY-2: every close code is described with whether to reconnect', () => {
    const described = Object.values(document.channels).flatMap(({ description }) => [
      ...description.matchAll(/^- (\d+): .+\. (Do not connect|Connect) again(: .+)?\.$/gm),
    ])
    const codes = new Set(described.map(([, code]) => Number(code)))
    assert.deepEqual([...codes].sort(), [...closeCodes].sort())
  })

  for (const [name, { action, channel, catalogue }] of Object.entries(catalogues)) {
    test(`ASY-3: ${name} has every type of its catalogue in both forms`, () => {
      const operation = document.operations[name] ?? assert.fail(name)
      assert.deepEqual([operation.action, operation.channel.$ref], [action, `#/channels/${channel}`])
      const messages = operation.messages.map(
        ({ $ref }) => resolve(document, (resolve(document, $ref) as { $ref: string }).$ref) as Message,
      )
      const audioMessages = messages.filter(({ contentType }) => contentType === 'application/octet-stream')
      const carriesAudio = name === 'receiveFromGlasses' || name === 'sendToApp'
      assert.equal(audioMessages.length, carriesAudio ? 1 : 0)
      const textMessages = messages.filter((message) => !audioMessages.includes(message))
      assert.deepEqual(textMessages.map((message) => message.name).sort(), Object.keys(catalogue).sort())
      for (const { payload } of textMessages) assert.equal(payload.anyOf?.length, 2)
    })
  }

  test('ASY-3: the data of data_stream is described per stream', () => {
    for (const name of ['toApp.data_stream', 'toGlasses.data_stream']) {
      const streams = document.components.messages[name]?.['x-streams'] ?? {}
      assert.deepEqual(Object.keys(streams).sort(), Object.keys(dataStreams).sort())
    }
  })

  test('ASY-4: types that are never sent are marked and in no operation', () => {
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

  test('ASY-5: the validator rejects frames that the document does not describe', () => {
    const validator = new AsyncApiValidator(document as unknown as AsyncApiDocument)
    const stopped = { type: 'app_stopped', packageName: 'a', reason: 'error', timestamp: 'now' }
    for (const dialect of ['flat', 'envelope', 'both'] as const)
      validator.check('sendToGlasses', dialect, encode(stopped, dialect))
    const check = (dialect: 'flat' | 'envelope' | 'both', text: string) => () =>
      validator.check('sendToGlasses', dialect, text)
    assert.throws(check('envelope', encode(stopped, 'flat')), /'data'/)
    assert.throws(check('flat', encode(stopped, 'envelope')), /'packageName'/)
    assert.throws(check('both', encode(stopped, 'flat')), /'data'/)
    assert.throws(check('flat', encode({ ...stopped, reason: 7 }, 'flat')), /must be string/)
    assert.throws(check('flat', '{"type":"auth_error"}'), /type is not documented/)
    assert.throws(check('flat', '{"type":"tpa_connection_ack"}'), /type is not documented/)
    const pressed = (data: object) => ({
      ...stopped,
      type: 'data_stream',
      streamType: 'button_press',
      sessionId: 's',
      data,
    })
    for (const dialect of ['flat', 'envelope'] as const) {
      const known = { type: 'button_press', buttonId: 'main', pressType: 'short' }
      validator.check('sendToApp', dialect, encode(pressed(known), dialect))
      const invalid = encode(pressed({ ...known, buttonId: 7 }), dialect)
      assert.throws(() => validator.check('sendToApp', dialect, invalid), /data\/buttonId must be string/)
    }
  })

  test('ASY-11: docs/sockets.md lists all close codes, error codes and unsupported types', async () => {
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
