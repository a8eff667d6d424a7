import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  appToCloud,
  checkAppMessage,
  checkGlassesMessage,
  cloudToApp,
  cloudToGlasses,
  type Dialect,
  encode,
  glassesToCloud,
  type Message,
  type MessageCatalogue,
} from '@glasses-cloud/contract'
import { fromApp, fromGlasses, messagesIn, toApp, toGlasses } from '../support/message-examples/index.ts'
import { createMessageRig, type MessageRig, type SocketClient } from '../support/message-rig.ts'
import { runWalkthrough } from '../support/message-walkthrough.ts'
import { suiteScope } from '../support/scope.ts'
import { socketValidator } from '../support/socket-recorder.ts'

const dialects = ['flat', 'envelope'] as const

/** The catalogue and the examples of each operation. */
const tables: Readonly<
  Record<
    string,
    { readonly catalogue: MessageCatalogue; readonly examples: Readonly<Record<string, object>> }
  >
> = {
  receiveFromGlasses: { catalogue: glassesToCloud, examples: fromGlasses },
  sendToGlasses: { catalogue: cloudToGlasses, examples: toGlasses },
  receiveFromApp: { catalogue: appToCloud, examples: fromApp },
  sendToApp: { catalogue: cloudToApp, examples: toApp },
}

describe('message examples', () => {
  for (const [operation, { catalogue, examples }] of Object.entries(tables)) {
    test(`ASY-3: ${operation}: every type has an example that matches its description in every form`, () => {
      assert.deepEqual(Object.keys(examples).sort(), Object.keys(catalogue).sort())
      // A message with its own `data` field cannot contain both forms.
      for (const message of messagesIn(examples))
        for (const form of [...dialects, 'both'] as const)
          if (form !== 'both' || message.type !== 'data_stream')
            socketValidator().check(operation, form, encode(message, form))
    })
  }
})

/** The names of all properties of a message schema, and of those that have to be valid. */
function fieldsOf(schema: object): {
  readonly properties: readonly string[]
  readonly required: readonly string[]
} {
  const {
    properties = {},
    required = [],
    allOf = [],
  } = schema as {
    readonly properties?: Readonly<Record<string, object>>
    readonly required?: readonly string[]
    readonly allOf?: readonly object[]
  }
  const parts = allOf.map(fieldsOf)
  const needed = required.filter((name) => name !== 'type' && !('default' in (properties[name] ?? {})))
  return {
    properties: [...Object.keys(properties), ...parts.flatMap((part) => part.properties)],
    required: [...needed, ...parts.flatMap((part) => part.required)],
  }
}

/** Values of several types: only a field of any type accepts all of them. */
const valuesOfTypes: readonly unknown[] = [[[[]]], { odd: { odd: [] } }, 'invalid value', -1.5, true]

/** Validates a message. */
type Check = (message: Message) => { readonly kind: string }

/** Invalid variants of a message: each required field missing, each field with a value of another type. */
function invalidVariants(message: Message, schema: object, check: Check): Message[] {
  const { properties, required } = fieldsOf(schema)
  const without = required.map((name) =>
    Object.fromEntries(Object.entries(message).filter(([key]) => key !== name)),
  )
  const otherwise = properties
    .filter((name) => name !== 'type')
    .flatMap((name) => {
      const variants = valuesOfTypes
        .map((kind) => ({ ...message, [name]: kind }))
        .find(({ type, ...rest }) => {
          return check({ type: message.type, ...rest }).kind === 'malformed'
        })
      return variants ? [variants] : []
    })
  return [...without, ...otherwise] as Message[]
}

describe('received messages', () => {
  const scope = suiteScope()
  let rig: MessageRig
  let counter = 0

  before(async () => {
    rig = await createMessageRig(scope)
  })

  const uniqueEmail = () => `wearer-${++counter}@example.org`

  /** Sends a message; returns what the client received until the cloud had read it. */
  async function responsesTo(client: SocketClient, message: Message): Promise<Message[]> {
    const firstIndex = client.received.length
    client.send(message)
    // The end marker is a ping for glasses, so a ping under test adds a pong; for an app it is an unknown type.
    let pongs = message.type === 'ping' ? 2 : 1
    const last = `nothing-${++counter}`
    client.send(client.isApp ? { type: last } : { type: 'ping' })
    const isLast = ({ type, message: text }: Message) =>
      type === 'pong' ? --pongs === 0 : type === 'tpa_connection_error' && String(text).includes(last)
    let read = firstIndex
    let ended = false
    await client.waitUntil(() => {
      while (!ended && read < client.received.length) ended = isLast(client.received[read++] as Message)
      return ended
    }, 'response')
    return client.received.slice(firstIndex, read - 1)
  }

  const errorsIn = (responses: readonly Message[]) => responses.filter(({ type }) => type.endsWith('_error'))

  for (const dialect of dialects) {
    test(`ASY-6: ${dialect}: every type that glasses send is accepted`, async (t) => {
      const glasses = await rig.connectGlasses(t, uniqueEmail(), dialect)
      for (const message of messagesIn(fromGlasses))
        assert.deepEqual(errorsIn(await responsesTo(glasses, message)), [], message.type)
      assert.deepEqual(errorsIn(glasses.received), [])
    })

    test(`ASY-7: ${dialect}: every type that apps send is accepted`, async (t) => {
      const { app, glasses } = await connectBoth(t, dialect)
      glasses.send({ type: 'glasses_connection_state', ...fromGlasses.glasses_connection_state })
      await app.waitForMessage('capabilities_update', ({ modelName }) => modelName === 'Mentra Live')
      const firstIndex = app.received.length
      for (const message of messagesIn(fromApp))
        assert.deepEqual(errorsIn(await responsesTo(app, message)), [], message.type)
      const unexpected = errorsIn(app.received.slice(firstIndex)).filter(
        ({ code }) => code !== 'UNKNOWN_MESSAGE_TYPE',
      )
      assert.deepEqual(unexpected, [])
    })

    test(`ASY-8: ${dialect}: an invalid message from glasses returns an error and keeps the socket open`, async (t) => {
      const glasses = await rig.connectGlasses(t, uniqueEmail(), dialect)
      await assertInvalidRejected(
        glasses,
        'connection_error',
        glassesToCloud,
        fromGlasses,
        checkGlassesMessage,
      )
    })

    test(`ASY-8: ${dialect}: an invalid message from an app returns an error and keeps the socket open`, async (t) => {
      const { app } = await connectBoth(t, dialect)
      await assertInvalidRejected(app, 'tpa_connection_error', appToCloud, fromApp, checkAppMessage)
    })
  }

  async function connectBoth(t: { after(undo: () => unknown): void }, dialect: Dialect) {
    const email = uniqueEmail()
    const glasses = await rig.connectGlasses(t, email, dialect)
    return { email, glasses, app: await rig.startApp(t, glasses, email, dialect) }
  }

  async function assertInvalidRejected(
    client: SocketClient,
    error: string,
    catalogue: MessageCatalogue,
    examples: Readonly<Record<string, object>>,
    check: Check,
  ): Promise<void> {
    for (const message of messagesIn(examples)) {
      // Pings are answered before they are validated.
      if (message.type === 'ping') continue
      const schema = catalogue[message.type] ?? {}
      const variants = invalidVariants(message, schema, check)
      assert.ok(
        variants.length > 0 || fieldsOf(schema).required.length === 0,
        `${message.type} accepts any value`,
      )
      for (const variant of variants) {
        const sent = JSON.stringify(variant)
        const [response, ...more] = errorsIn(await responsesTo(client, variant))
        assert.deepEqual([response?.type, response?.code, more], [error, 'MALFORMED_MESSAGE', []], sent)
        assert.match(String(response?.message), new RegExp(`^${message.type}`), sent)
      }
    }
    assert.equal(client.socket.readyState, client.socket.OPEN)
  }
})

describe('sent messages', () => {
  const scope = suiteScope()
  let rig: MessageRig

  before(async () => {
    rig = await createMessageRig(scope)
  })

  for (const dialect of dialects)
    test(`ASY-4: ${dialect}: every type is sent`, async (t) => {
      await runWalkthrough(t, rig, dialect)
      const described = ['sendToGlasses', 'sendToApp'].flatMap((operation) =>
        socketValidator()
          .typesOf(operation)
          .map((type) => `${operation} ${type} ${dialect}`),
      )
      const missing = described.filter((one) => !rig.cloud.sockets.sent.has(one))
      assert.deepEqual(missing, [])
      assert.ok(described.length > 45)
    })
})
