import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { appToCloud, glassesToCloud, type Message } from '@glasses-cloud/contract'
import fc from 'fast-check'
import { arbitraryFrames, type OddFrame } from '../support/arbitrary-frames.ts'
import { fromApp, fromGlasses, messagesIn } from '../support/message-examples/index.ts'
import { createMessageRig, type MessageRig, type SocketClient } from '../support/message-rig.ts'
import { suiteScope } from '../support/test-cloud.ts'

/** The same at every run, so that a change is judged by itself; `PROPERTY_SEED=$RANDOM` looks elsewhere, `PROPERTY_RUNS` longer. */
const seed = Number(process.env.PROPERTY_SEED ?? 1)
const numRuns = Number(process.env.PROPERTY_RUNS ?? 60)

/** What an answer must never show: the innards of the program, the machine or the database. */
const innards = /\n\s+at |node:internal|node_modules|file:\/\/|SQLITE_|TypeError|RangeError|is not a function/

/** All that can be listened to. */
const everything = [...Object.keys(glassesToCloud), 'audio_chunk', 'transcription:en-US']

describe('odd messages', () => {
  const scope = suiteScope()
  let world: MessageRig
  let serial = 0

  before(async () => {
    world = await createMessageRig(scope)
  })

  /** A wearer with camera glasses on Wi-Fi, whose app listens to all there is. */
  async function pair(t: { after(undo: () => unknown): void }, dialect: 'flat' | 'envelope') {
    const email = `odd-${++serial}@example.org`
    const glasses = await world.wear(t, email, dialect)
    const app = await world.run(t, glasses, email, dialect)
    glasses.send({ type: 'glasses_connection_state', ...fromGlasses.glasses_connection_state })
    app.send({ type: 'subscription_update', subscriptions: everything })
    glasses.send({ type: 'phone_subscription_update', subscriptions: everything })
    return { glasses, app }
  }

  /** Says it all, and then something sensible, which must be answered. */
  async function say(speaker: SocketClient, frames: readonly OddFrame[]): Promise<void> {
    const last = `sensible-${++serial}`
    for (const frame of frames) speaker.socket.send(frame)
    // Glasses hear the echo of it, an app that there is no such type.
    speaker.send({ type: 'phone_subscription_update', subscriptions: [...everything, last] })
    speaker.send({ type: last })
    const answered = ({ type, message, streamType }: Message) =>
      type === 'data_stream'
        ? streamType === last
        : type === 'tpa_connection_error' && String(message).includes(last)
    await speaker.waitUntil(() => speaker.received.some(answered), `answer to ${last}`)
    const sent = frames.map(String).join('\n')
    for (const { type, message } of speaker.received) {
      if (!type.endsWith('_error')) continue
      const shown = innards.exec(String(message))?.[0]
      assert.ok(shown === undefined || sent.includes(shown), `shows its innards: ${message}`)
    }
    // What is kept of a long run is of no use to the next.
    speaker.received.length = 0
  }

  const sockets = {
    glasses: { catalogue: glassesToCloud, examples: messagesIn(fromGlasses) },
    // An app that says farewell may go.
    app: {
      catalogue: appToCloud,
      examples: messagesIn(fromApp).filter(({ type }) => type !== 'ownership_release'),
    },
  } as const

  for (const [name, { catalogue, examples }] of Object.entries(sockets))
    for (const dialect of ['flat', 'envelope'] as const)
      test(`ASY-10: ${name}, ${dialect}: whatever is said, the socket stays open and answers`, async (t) => {
        const speaker = (await pair(t, dialect))[name as keyof typeof sockets]
        await fc.assert(
          fc.asyncProperty(
            fc.array(arbitraryFrames(catalogue, examples, dialect), { minLength: 1, maxLength: 20 }),
            (frames) => say(speaker, frames),
          ),
          { seed, numRuns, endOnFailure: true, interruptAfterTimeLimit: 30_000 },
        )
        assert.equal(speaker.socket.readyState, speaker.socket.OPEN)
        assert.equal((await world.cloud.request('GET', '/readyz')).status, 200)
      })

  test('ASY-10: after all of that, nothing has failed inside', () => {
    const failures = world.cloud.logged.filter(({ level }) => Number(level) >= 50)
    assert.deepEqual(failures, [])
  })
})
