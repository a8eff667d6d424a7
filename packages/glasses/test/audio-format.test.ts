import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { Lc3Encoder } from '../src/audio/lc3.ts'
import { tone } from '../src/audio/pcm.ts'
import { Glasses, type GlassesOptions } from '../src/index.ts'
import { type ClientConnection, FakeCloud } from './support/fake-cloud.ts'

const lc3 = { format: 'lc3', frameSizeBytes: 40 } as const
const lc3Said = { format: 'lc3', lc3Config: { sampleRate: 16_000, frameDurationMs: 10, frameSizeBytes: 40 } }

/** Glasses at a small cloud that keeps what it is told of formats and answers with a status. */
async function connected(t: TestContext, options: Partial<GlassesOptions>, status = 200) {
  const said: unknown[] = []
  const onRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    said.push({ at: `${request.method} ${request.url}`, ...JSON.parse(Buffer.concat(chunks).toString()) })
    response.writeHead(status).end('{"error":"No such format"}')
  }
  const cloud = await FakeCloud.open(t, { onRequest })
  const reconnect = { firstMs: 1, maxMs: 1 }
  const glasses = new Glasses({ url: cloud.url, token: 't', model: null, reconnect, ...options })
  t.after(() => glasses.disconnect())
  await glasses.connect()
  return { cloud, glasses, said, connection: await cloud.connection(0) }
}

/** Plays a sound and gives the frames in which it came. */
async function play(
  glasses: Glasses,
  connection: ClientConnection,
  sound: Buffer,
  frameMs = 20,
): Promise<Buffer[]> {
  connection.received.splice(0)
  await glasses.playAudio(sound, { pace: 'fast', ignoreMicrophone: true, frameMs })
  glasses.send({ type: 'ping' })
  await connection.frame('ping')
  return connection.received.filter((frame) => Buffer.isBuffer(frame))
}

describe('Formats of sound', () => {
  test('SIM-56: told of no format, the phone says nothing and sends PCM', async (t) => {
    const { glasses, said, connection } = await connected(t, {})
    assert.deepEqual(Buffer.concat(await play(glasses, connection, tone(50))), tone(50))
    assert.deepEqual(said, [])
  })

  test('SIM-56: the format is said after each acknowledgement, and sound is sent in it', async (t) => {
    const { cloud, glasses, said, connection } = await connected(t, { audioFormat: lc3 })
    const sound = tone(50)
    const frames = await play(glasses, connection, sound)
    assert.deepEqual(
      frames.map(({ length }) => length),
      [80, 80, 40],
    )
    assert.deepEqual(Buffer.concat(frames), new Lc3Encoder(40).encode(sound))
    const entry = { at: 'POST /api/client/audio/configure', ...lc3Said }
    assert.deepEqual(said, [entry])
    const again = once(glasses, 'ack')
    glasses.loseConnection()
    await again
    const next = await cloud.connection(1)
    assert.equal((await play(glasses, next, tone(20))).length, 1)
    assert.deepEqual(said, [entry, entry])
  })

  test('SIM-56: the format can be changed, and what the cloud refuses is told', async (t) => {
    const { glasses, said, connection } = await connected(t, {})
    await glasses.configureAudio({ format: 'lc3', frameSizeBytes: 60 })
    assert.equal((await play(glasses, connection, tone(20)))[0]?.length, 120)
    await glasses.configureAudio({ format: 'pcm' })
    assert.equal((await play(glasses, connection, tone(20)))[0]?.length, 640)
    assert.equal(said.length, 2)
    await Promise.all([glasses.configureAudio(lc3), glasses.configureAudio({ format: 'pcm' })])
    assert.equal((await play(glasses, connection, tone(20)))[0]?.length, 640, 'the last word counts')

    const refused = await connected(t, {}, 400)
    await assert.rejects(refused.glasses.configureAudio(lc3), { status: 400, message: 'No such format' })
    // A phone goes on in its own format, whatever the cloud thinks of it.
    assert.equal((await play(refused.glasses, refused.connection, tone(20)))[0]?.length, 80)
  })

  test('SIM-56: pieces that are no whole frames of LC3 are refused', async (t) => {
    const { glasses, connection } = await connected(t, { audioFormat: lc3 })
    await assert.rejects(glasses.playAudio(tone(50), { frameMs: 25 }), /multiple/)
    assert.equal((await play(glasses, connection, tone(25), 30)).length, 1)
  })
})
