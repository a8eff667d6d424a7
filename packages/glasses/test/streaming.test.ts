import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Glasses, type GlassesOptions } from '../src/index.ts'
import { type ClientConnection, FakeCloud } from './support/fake-cloud.ts'

async function wearing(
  t: TestContext,
  options: Partial<GlassesOptions> = {},
): Promise<[Glasses, ClientConnection]> {
  const cloud = await FakeCloud.open(t)
  const glasses = new Glasses({ url: cloud.url, token: 'core-token', ...options })
  t.after(() => glasses.disconnect())
  await glasses.connect()
  return [glasses, await cloud.connection(0)]
}

/** Both messages to start a stream, as the cloud sends them. */
function start(connection: ClientConnection, streamId: string, url = 'rtmp://tv.test/a/b'): void {
  connection.send({ type: 'start_rtmp_stream', streamId, rtmpUrl: url })
  connection.send({ type: 'start_stream', streamId, streamUrl: url })
}

describe('Streaming', () => {
  test('SIM-49: the glasses stream, answer keep-alives and stop, under the names their phone knows', async (t) => {
    for (const [streamNames, status, keepAlive, stop] of [
      ['rtmp', 'rtmp_stream_status', 'keep_rtmp_stream_alive', 'stop_rtmp_stream'],
      ['generic', 'stream_status', 'keep_stream_alive', 'stop_stream'],
    ] as const) {
      const [glasses, connection] = await wearing(t, { streamMessageNames: streamNames })
      start(connection, 's1')
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
        ['initializing', 'streaming', 'reconnecting', 'stopping', 'stopped'].map((word) => ['s1', word]),
      )
      assert.equal(connection.frames('keep_alive_ack').length, 1)
    }
  })

  test('SIM-50: glasses that cannot start say why and not which; silent ones say nothing', async (t) => {
    const [glasses, connection] = await wearing(t)
    glasses.streaming.behavior = { kind: 'fail', errorDetails: 'low battery' }
    start(connection, 's1')
    const { status, errorDetails, streamId } = await connection.frame('rtmp_stream_status')
    assert.deepEqual([status, errorDetails, streamId], ['error', 'low battery', undefined])
    assert.equal(glasses.streaming.streamId, undefined)
    glasses.streaming.behavior = { kind: 'ignore' }
    start(connection, 's2')
    connection.send({ type: 'keep_rtmp_stream_alive', streamId: 's2', ackId: 'a1' })
    await glasses.waitForMessage('keep_rtmp_stream_alive')
    glasses.send({ type: 'ping' })
    await connection.frame('ping')
    assert.equal(connection.frames('rtmp_stream_status').length, 1)
    assert.deepEqual(connection.frames('keep_alive_ack'), [])
  })
})
