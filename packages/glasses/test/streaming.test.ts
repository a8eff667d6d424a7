import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Glasses, type GlassesOptions } from '../src/index.ts'
import { type ClientConnection, FakeCloud } from './support/fake-cloud.ts'

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

/** Sends both start messages, as the cloud does. */
function sendStart(connection: ClientConnection, streamId: string, url = 'rtmp://tv.test/a/b'): void {
  connection.send({ type: 'start_rtmp_stream', streamId, rtmpUrl: url })
  connection.send({ type: 'start_stream', streamId, streamUrl: url })
}

describe('Streaming', () => {
  test('SIM-49: the glasses stream, acknowledge keep-alives and stop, with the message names of their phone', async (t) => {
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

  test('SIM-50: a failed start is reported without a stream id; ignored requests are not answered', async (t) => {
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
