import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { Glasses, type GlassesOptions } from '../src/index.ts'
import { type ClientConnection, FakeCloud } from './support/fake-cloud.ts'
import { ManualClock } from './support/manual-clock.ts'

async function connectGlasses(
  t: TestContext,
  options: Partial<GlassesOptions> = {},
): Promise<[Glasses, ClientConnection]> {
  const cloud = await FakeCloud.start(t)
  const glasses = new Glasses({ url: cloud.url, token: 'core-token', ...options })
  t.after(() => glasses.disconnect())
  await glasses.connect()
  return [glasses, await cloud.connection(0)]
}

const ffmpegMissing =
  spawnSync('ffmpeg', ['-version']).error !== undefined && 'ffmpeg is not installed (apt-get install ffmpeg)'

/** An RTMP server that takes one stream and writes it to a file. */
async function listenForVideo(
  t: TestContext,
): Promise<{ url: string; file: string; ended: Promise<unknown> }> {
  const folder = await mkdtemp(join(tmpdir(), 'glasses-stream-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  const [url, file] = [`rtmp://127.0.0.1:${port}/live/key`, join(folder, 'received.flv')]
  const child = spawn('ffmpeg', ['-v', 'quiet', '-listen', '1', '-i', url, '-c', 'copy', file], {
    stdio: 'ignore',
  })
  t.after(() => child.kill('SIGKILL'))
  return { url, file, ended: once(child, 'close') }
}

/** Sends both start messages, as the cloud does. */
function sendStart(connection: ClientConnection, streamId: string, url = 'rtmp://tv.test/a/b'): void {
  connection.send({ type: 'start_rtmp_stream', streamId, rtmpUrl: url })
  connection.send({ type: 'start_stream', streamId, streamUrl: url })
}

describe('Streaming', () => {
  test('glasses stream on request, under the message names that their phone supports', async (t) => {
    for (const [streamNames, status, keepAlive, stop] of [
      ['rtmp', 'rtmp_stream_status', 'keep_rtmp_stream_alive', 'stop_rtmp_stream'],
      ['generic', 'stream_status', 'keep_stream_alive', 'stop_stream'],
    ] as const) {
      const [glasses, connection] = await connectGlasses(t, { streamMessageNames: streamNames })
      sendStart(connection, 's1')
      for (const type of ['keep_rtmp_stream_alive', 'keep_stream_alive'])
        connection.send({ type, streamId: 's1', ackId: type })
      const { streamId, ackId } = await connection.frame('keep_alive_ack')
      assert.deepEqual([streamId, ackId], ['s1', keepAlive])
      assert.equal(glasses.streaming.streamId, 's1')
      glasses.streaming.sendStatus('reconnecting', { attempt: 1 })
      connection.send({ type: stop })
      await glasses.waitForMessage(stop)
      glasses.send({ type: 'ping' })
      await connection.frame('ping')
      assert.equal(glasses.streaming.streamId, undefined)
      assert.deepEqual(
        connection.frames(status).map((frame) => [frame.streamId, frame.status]),
        ['initializing', 'streaming', 'reconnecting', 'stopping', 'stopped'].map((name) => ['s1', name]),
      )
      assert.equal(connection.frames('keep_alive_ack').length, 1)
    }
  })

  test('SIM-58: a file as video source', {
    skip: ffmpegMissing,
  }, async (t) => {
    const listener = await listenForVideo(t)
    const [glasses, connection] = await connectGlasses(t, {
      streaming: { kind: 'publish', source: { kind: 'testsrc' } },
    })
    const video = { width: 160, height: 90, frameRate: 10, bitrate: 100_000 }
    connection.send({ type: 'start_rtmp_stream', streamId: 's1', rtmpUrl: listener.url, video, audio: {} })
    const started = await connection.frame(
      'rtmp_stream_status',
      ({ status }) => status === 'streaming',
      20_000,
    )
    assert.equal(typeof (started.stats as { fps?: unknown }).fps, 'number')
    connection.send({ type: 'stop_rtmp_stream', streamId: 's1' })
    await connection.frame('rtmp_stream_status', ({ status }) => status === 'stopped', 20_000)
    await listener.ended
    assert.equal(glasses.streaming.streamId, undefined)
    const args = ['-v', 'error', '-of', 'csv=p=0', '-show_entries', 'stream=codec_name,width', listener.file]
    const found = spawnSync('ffprobe', args, { encoding: 'utf8' }).stdout
    assert.deepEqual(found.trim().split('\n').sort(), ['aac', 'h264,160'])
    // Nobody listens now: the glasses try to reconnect, in the words of real ones.
    connection.send({ type: 'start_rtmp_stream', streamId: 's2', rtmpUrl: listener.url, video, audio: {} })
    const lost = await connection.frame(
      'rtmp_stream_status',
      ({ streamId, status }) => streamId === 's2' && status === 'reconnecting',
      20_000,
    )
    assert.deepEqual([lost.streamId, lost.attempt, lost.maxAttempts], ['s2', 1, 5])
    assert.ok(!String(lost.reason).includes('/key'))
  })

  test('SIM-58: a minute without keep-alives', {
    skip: ffmpegMissing,
  }, async (t) => {
    const clock = new ManualClock()
    const [glasses, connection] = await connectGlasses(t, {
      clock,
      streaming: { kind: 'publish', source: { kind: 'testsrc' } },
    })
    const listener = await listenForVideo(t)
    // The listener may need longer to start than the first attempt to connect.
    connection.on('frame', (frame) => {
      const { status, attempt } = frame as { status?: unknown; attempt?: unknown }
      if (status === 'reconnecting') void clock.advance(1_000 * 2 ** (Number(attempt) - 1))
    })
    const video = { width: 160, height: 90, frameRate: 10, bitrate: 100_000 }
    connection.send({ type: 'start_rtmp_stream', streamId: 's1', rtmpUrl: listener.url, video, audio: {} })
    await connection.frame('rtmp_stream_status', ({ status }) => status === 'streaming', 20_000)
    connection.send({ type: 'keep_rtmp_stream_alive', streamId: 's1', ackId: 'a1' })
    await connection.frame('keep_alive_ack')
    await clock.advance(59_999)
    assert.equal(glasses.streaming.streamId, 's1')
    await clock.advance(1)
    await connection.frame('rtmp_stream_status', ({ status }) => status === 'timeout')
    await listener.ended
    assert.equal(glasses.streaming.streamId, undefined)
  })

  test('a failed start is reported without a stream id; ignored requests are not answered', async (t) => {
    const [glasses, connection] = await connectGlasses(t)
    glasses.streaming.behavior = { kind: 'fail', errorDetails: 'low battery' }
    sendStart(connection, 's1')
    const { status, errorDetails, streamId } = await connection.frame('rtmp_stream_status')
    assert.deepEqual([status, errorDetails, streamId], ['error', 'low battery', undefined])
    assert.equal(glasses.streaming.streamId, undefined)
    glasses.streaming.behavior = { kind: 'ignore' }
    sendStart(connection, 's2')
    connection.send({ type: 'keep_rtmp_stream_alive', streamId: 's2', ackId: 'a1' })
    await glasses.waitForMessage('keep_rtmp_stream_alive')
    glasses.send({ type: 'ping' })
    await connection.frame('ping')
    assert.equal(connection.frames('rtmp_stream_status').length, 1)
    assert.deepEqual(connection.frames('keep_alive_ack'), [])
  })
})
