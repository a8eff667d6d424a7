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
import { converse } from '../support/message-walkthrough.ts'
import { socketDescription } from '../support/socket-recorder.ts'
import { suiteScope } from '../support/test-cloud.ts'

const dialects = ['flat', 'envelope'] as const

/** Every catalogue with its examples, and what describes it. */
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

describe('the examples', () => {
  for (const [operation, { catalogue, examples }] of Object.entries(tables)) {
    test(`ASY-3: ${operation}: every type has one, which is as it is described, in every form`, () => {
      assert.deepEqual(Object.keys(examples).sort(), Object.keys(catalogue).sort())
      // What has a `data` of its own cannot carry both forms.
      for (const message of messagesIn(examples))
        for (const form of [...dialects, 'both'] as const)
          if (form !== 'both' || message.type !== 'data_stream')
            socketDescription().check(operation, form, encode(message, form))
    })
  }
})

/** The properties of a message's schema, and which it must have. */
function fieldsOf(schema: object): {
  readonly properties: readonly string[]
  readonly required: readonly string[]
} {
  const { properties = {}, required = [], allOf = [] } = schema as Record<string, never>
  const parts = (allOf as object[]).map(fieldsOf)
  return {
    properties: [...Object.keys(properties), ...parts.flatMap((part) => part.properties)],
    required: [...(required as string[]), ...parts.flatMap((part) => part.required)],
  }
}

/** What no field but one that takes anything takes all of. */
const kinds: readonly unknown[] = [[[[]]], { odd: { odd: [] } }, 'no such thing', -1.5, true]

/** Tells whether a message is well-formed. */
type Check = (message: Message) => { readonly kind: string }

/** The message without each field that it needs, and with each field of another kind. */
function spoilt(message: Message, schema: object, check: Check): Message[] {
  const { properties, required } = fieldsOf(schema)
  const without = required
    .filter((name) => name !== 'type')
    .map((name) => Object.fromEntries(Object.entries(message).filter(([key]) => key !== name)))
  const otherwise = properties
    .filter((name) => name !== 'type')
    .flatMap((name) => {
      const bad = kinds
        .map((kind) => ({ ...message, [name]: kind }))
        .find(({ type, ...rest }) => {
          return check({ type: message.type, ...rest }).kind === 'malformed'
        })
      return bad ? [bad] : []
    })
  return [...without, ...otherwise] as Message[]
}

describe('messages', () => {
  const scope = suiteScope()
  let world: MessageRig
  let serial = 0

  before(async () => {
    world = await createMessageRig(scope)
  })

  const someone = () => `wearer-${++serial}@example.org`

  /** Resolves with what came until the cloud had read all that was said. */
  async function answersTo(speaker: SocketClient, message: Message): Promise<Message[]> {
    const begun = speaker.received.length
    speaker.send(message)
    // Glasses hear of their ping, and a ping of their own is answered as well; an app hears that there is no such type.
    let pongs = message.type === 'ping' ? 2 : 1
    const last = `nothing-${++serial}`
    speaker.send(speaker.isApp ? { type: last } : { type: 'ping' })
    const isLast = ({ type, message: text }: Message) =>
      type === 'pong' ? --pongs === 0 : type === 'tpa_connection_error' && String(text).includes(last)
    let read = begun
    let ended = false
    await speaker.waitUntil(() => {
      while (!ended && read < speaker.received.length) ended = isLast(speaker.received[read++] as Message)
      return ended
    }, 'answer')
    return speaker.received.slice(begun, read - 1)
  }

  const refusals = (answers: readonly Message[]) => answers.filter(({ type }) => type.endsWith('_error'))

  for (const dialect of dialects) {
    test(`ASY-6: ${dialect}: every type that glasses send is taken`, async (t) => {
      const glasses = await world.wear(t, someone(), dialect)
      for (const message of messagesIn(fromGlasses))
        assert.deepEqual(refusals(await answersTo(glasses, message)), [], message.type)
      assert.deepEqual(refusals(glasses.received), [])
    })

    test(`ASY-7: ${dialect}: every type that apps send is taken`, async (t) => {
      const { app, glasses } = await both(t, dialect)
      glasses.send({ type: 'glasses_connection_state', ...fromGlasses.glasses_connection_state })
      await app.waitForMessage('capabilities_update', ({ modelName }) => modelName === 'Mentra Live')
      const begun = app.received.length
      for (const message of messagesIn(fromApp))
        assert.deepEqual(refusals(await answersTo(app, message)), [], message.type)
      const unasked = refusals(app.received.slice(begun)).filter(
        ({ code }) => code !== 'UNKNOWN_MESSAGE_TYPE',
      )
      assert.deepEqual(unasked, [])
    })

    test(`ASY-8: ${dialect}: glasses that send a broken message are told, and stay`, async (t) => {
      const glasses = await world.wear(t, someone(), dialect)
      await tellBroken(glasses, 'connection_error', glassesToCloud, fromGlasses, checkGlassesMessage)
    })

    test(`ASY-8: ${dialect}: apps that send a broken message are told, and stay`, async (t) => {
      const { app } = await both(t, dialect)
      await tellBroken(app, 'tpa_connection_error', appToCloud, fromApp, checkAppMessage)
    })
  }

  async function both(t: { after(undo: () => unknown): void }, dialect: Dialect) {
    const email = someone()
    const glasses = await world.wear(t, email, dialect)
    return { email, glasses, app: await world.run(t, glasses, email, dialect) }
  }

  async function tellBroken(
    speaker: SocketClient,
    error: string,
    catalogue: MessageCatalogue,
    examples: Readonly<Record<string, object>>,
    check: Check,
  ): Promise<void> {
    for (const message of messagesIn(examples)) {
      // Liveness comes before everything, reading included.
      if (message.type === 'ping') continue
      const bad = spoilt(message, catalogue[message.type] ?? {}, check)
      assert.ok(bad.length > 0, `${message.type} takes anything`)
      for (const broken of bad) {
        const said = JSON.stringify(broken)
        const [answer, ...more] = refusals(await answersTo(speaker, broken))
        assert.deepEqual([answer?.type, answer?.code, more], [error, 'MALFORMED_MESSAGE', []], said)
        assert.match(String(answer?.message), new RegExp(`^${message.type}`), said)
      }
    }
    assert.equal(speaker.socket.readyState, speaker.socket.OPEN)
  }
})

describe('what the cloud says', () => {
  const scope = suiteScope()
  let world: MessageRig

  before(async () => {
    world = await createMessageRig(scope)
  })

  for (const dialect of dialects)
    test(`ASY-9: ${dialect}: every type is sent`, async (t) => {
      await converse(t, world, dialect)
      const described = ['sendToGlasses', 'sendToApp'].flatMap((operation) =>
        socketDescription()
          .typesOf(operation)
          .map((type) => `${operation} ${type} ${dialect}`),
      )
      const missing = described.filter((one) => !world.cloud.sockets.sent.has(one))
      assert.deepEqual(missing, [])
      assert.ok(described.length > 45)
    })
})
