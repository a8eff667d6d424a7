import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { appToCloud, glassesToCloud, type Message } from '@glasses-cloud/contract'
import fc from 'fast-check'
import { type ArbitraryFrame, arbitraryFrames } from '../support/arbitrary-frames.ts'
import { fromApp, fromGlasses, messagesIn } from '../support/message-examples/index.ts'
import { createMessageRig, type MessageRig, type SocketClient } from '../support/message-rig.ts'
import { suiteScope } from '../support/scope.ts'
import { shareOf } from '../support/search-share.ts'

/** A fixed seed makes runs reproducible; `PROPERTY_SEED=$RANDOM` tries another one, `PROPERTY_RUNS` more runs. */
const seed = Number(process.env.PROPERTY_SEED ?? 1)
const numRuns = Number(process.env.PROPERTY_RUNS ?? shareOf(60))

/** Internals of the program, the machine or the database, which no error message may contain. */
const internals =
  /\n\s+at |node:internal|node_modules|file:\/\/|SQLITE_|TypeError|RangeError|is not a function/

/** All streams. */
const allStreams = [...Object.keys(glassesToCloud), 'audio_chunk', 'transcription:en-US']

describe('fuzzed frames', () => {
  const scope = suiteScope()
  let rig: MessageRig
  let counter = 0

  before(async () => {
    rig = await createMessageRig(scope)
  })

  /** Connects camera glasses on Wi-Fi, and an app that subscribes to all streams. */
  async function connectPair(t: { after(undo: () => unknown): void }, dialect: 'flat' | 'envelope') {
    const email = `fuzz-${++counter}@example.org`
    const glasses = await rig.connectGlasses(t, email, dialect)
    const app = await rig.startApp(t, glasses, email, dialect)
    glasses.send({ type: 'glasses_connection_state', ...fromGlasses.glasses_connection_state })
    app.send({ type: 'subscription_update', subscriptions: allStreams })
    glasses.send({ type: 'phone_subscription_update', subscriptions: allStreams })
    return { glasses, app }
  }

  /** Sends the frames, then a valid message, which must be answered. */
  async function sendAndProbe(client: SocketClient, frames: readonly ArbitraryFrame[]): Promise<void> {
    const last = `valid-${++counter}`
    for (const frame of frames) client.socket.send(frame)
    // Glasses receive it as a stream they subscribe to, an app receives an error for an unknown type.
    client.send({ type: 'phone_subscription_update', subscriptions: [...allStreams, last] })
    client.send({ type: last })
    const answered = ({ type, message, streamType }: Message) =>
      type === 'data_stream'
        ? streamType === last
        : type === 'tpa_connection_error' && String(message).includes(last)
    await client.waitUntil(() => client.received.some(answered), `response to ${last}`)
    const sent = frames.map(String).join('\n')
    for (const { type, message } of client.received) {
      if (!type.endsWith('_error')) continue
      const shown = internals.exec(String(message))?.[0]
      assert.ok(shown === undefined || sent.includes(shown), `the error contains internals: ${message}`)
    }
    // Earlier messages are not needed by the next run.
    client.received.length = 0
  }

  const sockets = {
    glasses: { catalogue: glassesToCloud, examples: messagesIn(fromGlasses) },
    // An app that releases its ownership is disconnected.
    app: {
      catalogue: appToCloud,
      examples: messagesIn(fromApp).filter(({ type }) => type !== 'ownership_release'),
    },
  } as const

  for (const [name, { catalogue, examples }] of Object.entries(sockets))
    for (const dialect of ['flat', 'envelope'] as const)
      test(`ASY-10: ${name}, ${dialect}: the socket stays open and answers after any frame`, async (t) => {
        const client = (await connectPair(t, dialect))[name as keyof typeof sockets]
        await fc.assert(
          fc.asyncProperty(
            fc.array(arbitraryFrames(catalogue, examples, dialect), { minLength: 1, maxLength: 20 }),
            (frames) => sendAndProbe(client, frames),
          ),
          { seed, numRuns, endOnFailure: true, interruptAfterTimeLimit: 30_000 },
        )
        assert.equal(client.socket.readyState, client.socket.OPEN)
        assert.equal((await rig.cloud.request('GET', '/readyz')).status, 200)
      })

  test('ASY-10: no error was logged by the tests above', () => {
    const failures = rig.cloud.logged.filter(({ level }) => Number(level) >= 50)
    assert.deepEqual(failures, [])
  })
})
