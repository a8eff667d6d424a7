import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { Lc3Encoder } from '../src/audio/lc3.ts'
import { tone } from '../src/audio/pcm.ts'
import { Glasses, type GlassesOptions } from '../src/index.ts'
import { type ClientConnection, FakeCloud } from './support/fake-cloud.ts'

const LC3 = { format: 'lc3', frameSizeBytes: 40 } as const
const LC3_BODY = { format: 'lc3', lc3Config: { sampleRate: 16_000, frameDurationMs: 10, frameSizeBytes: 40 } }

/** Connects glasses to a fake cloud that records configurations and answers them with a status. */
async function connectGlasses(t: TestContext, options: Partial<GlassesOptions>, status = 200) {
  const configurations: unknown[] = []
  const onRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    configurations.push({
      at: `${request.method} ${request.url}`,
      ...JSON.parse(Buffer.concat(chunks).toString()),
    })
    response.writeHead(status).end('{"error":"Unsupported format"}')
  }
  const cloud = await FakeCloud.start(t, { onRequest })
  const reconnect = { firstMs: 1, maxMs: 1 }
  const glasses = new Glasses({ url: cloud.url, token: 't', model: null, reconnect, ...options })
  t.after(() => glasses.disconnect())
  await glasses.connect()
  return { cloud, glasses, configurations, connection: await cloud.connection(0) }
}

/** Plays audio and returns the frames received by the cloud. */
async function play(
  glasses: Glasses,
  connection: ClientConnection,
  pcm: Buffer,
  frameMs = 20,
): Promise<Buffer[]> {
  connection.received.splice(0)
  await glasses.playAudio(pcm, { pace: 'fast', ignoreMicrophone: true, frameMs })
  glasses.send({ type: 'ping' })
  await connection.frame('ping')
  return connection.received.filter((frame) => Buffer.isBuffer(frame))
}

describe('Audio formats', () => {
  test('SIM-56: without a format the phone configures nothing and sends PCM', async (t) => {
    const { glasses, configurations, connection } = await connectGlasses(t, {})
    assert.deepEqual(Buffer.concat(await play(glasses, connection, tone(50))), tone(50))
    assert.deepEqual(configurations, [])
  })

  test('SIM-56: LC3, with a reconnect', async (t) => {
    const { cloud, glasses, configurations, connection } = await connectGlasses(t, { audioFormat: LC3 })
    const pcm = tone(50)
    const frames = await play(glasses, connection, pcm)
    assert.deepEqual(
      frames.map(({ length }) => length),
      [80, 80, 40],
    )
    assert.deepEqual(Buffer.concat(frames), Buffer.from(new Lc3Encoder(40).encode(pcm)))
    const entry = { at: 'POST /api/client/audio/configure', ...LC3_BODY }
    assert.deepEqual(configurations, [entry])
    const again = once(glasses, 'ack')
    glasses.loseConnection()
    await again
    const next = await cloud.connection(1)
    assert.equal((await play(glasses, next, tone(20))).length, 1)
    assert.deepEqual(configurations, [entry, entry])
  })

  test('SIM-56: the format can be changed, and a rejection is reported', async (t) => {
    const { glasses, configurations, connection } = await connectGlasses(t, {})
    await glasses.configureAudio({ format: 'lc3', frameSizeBytes: 60 })
    assert.equal((await play(glasses, connection, tone(20)))[0]?.length, 120)
    await glasses.configureAudio({ format: 'pcm' })
    assert.equal((await play(glasses, connection, tone(20)))[0]?.length, 640)
    assert.equal(configurations.length, 2)
    await Promise.all([glasses.configureAudio(LC3), glasses.configureAudio({ format: 'pcm' })])
    assert.equal(
      (await play(glasses, connection, tone(20)))[0]?.length,
      640,
      'the last configuration applies',
    )

    const rejected = await connectGlasses(t, {}, 400)
    await assert.rejects(rejected.glasses.configureAudio(LC3), { status: 400, message: 'Unsupported format' })
    // Like a phone, the client keeps sending the format that the cloud rejected.
    assert.equal((await play(rejected.glasses, rejected.connection, tone(20)))[0]?.length, 80)
  })

  test('SIM-56: frame lengths that are not whole LC3 frames are rejected', async (t) => {
    const { glasses, connection } = await connectGlasses(t, { audioFormat: LC3 })
    await assert.rejects(glasses.playAudio(tone(50), { frameMs: 25 }), /multiple/)
    assert.equal((await play(glasses, connection, tone(25), 30)).length, 1)
  })
})
