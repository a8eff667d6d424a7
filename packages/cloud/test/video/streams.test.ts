import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, test } from 'node:test'
import { PhoneApi } from '@glasses-cloud/phone'
import { SdkApp } from '../support/sdk-app.ts'
import { connectCameraGlasses, createStreamRig, StreamApp } from '../support/stream-rig.ts'
import { startCloud } from '../support/test-cloud.ts'

const email = 'ann-marie@ex-ample.com'

describe('streams of a running cloud', () => {
  test('STR-80: a managed stream starts, is joined and stops, with either set of message names', async (t) => {
    const { cloud, provider } = await createStreamRig(t)
    const [one, other] = await Promise.all([
      StreamApp.serve(t, cloud, 'com.one'),
      StreamApp.serve(t, cloud, 'com.other'),
    ])
    for (const streamNames of ['rtmp', 'generic'] as const) {
      const glasses = await connectCameraGlasses(t, cloud, `${streamNames}@example.com`, {
        streamMessageNames: streamNames,
      })
      const viewer = await one.start(`${streamNames}@example.com`)
      const streamId = await viewer.startManagedStream()
      assert.equal(glasses.streaming.streamId, streamId)
      const { hlsUrl, dashUrl, message } = await viewer.waitForManagedStatus('active')
      assert.match(`${hlsUrl} ${dashUrl}`, /^https:\S+\.m3u8 https:\S+\.mpd$/)
      assert.equal(message, 'memory provider: nothing is streamed')
      const joiner = await other.start(`${streamNames}@example.com`)
      assert.equal(await joiner.startManagedStream(), streamId)
      viewer.send({ type: 'managed_stream_stop' })
      await viewer.waitForManagedStatus('stopped')
      assert.equal(glasses.streaming.streamId, streamId)
      joiner.send({ type: 'managed_stream_stop' })
      await joiner.waitForManagedStatus('stopped')
      await glasses.waitForMessage(streamNames === 'rtmp' ? 'stop_rtmp_stream' : 'stop_stream')
      assert.equal(glasses.streaming.streamId, undefined)
    }
    assert.equal(provider.calls.filter((call) => call === 'deleteInput').length, 2)
  })

  test('STR-81: the reason of a failed stream start is sent to the app', async (t) => {
    const { cloud } = await createStreamRig(t)
    const glasses = await connectCameraGlasses(t, cloud, email)
    glasses.streaming.behavior = { kind: 'fail', errorDetails: 'the battery is low' }
    const app = await (await StreamApp.serve(t, cloud, 'com.one')).start(email)
    app.send({ type: 'managed_stream_request' })
    assert.equal((await app.waitForManagedStatus('error')).message, 'the battery is low')
    app.send({ type: 'rtmp_stream_request', rtmpUrl: 'rtmp://tv.example.com/app/key' })
    const { errorDetails } = await app.waitForMessage(
      'rtmp_stream_status',
      ({ status }) => status === 'stopped',
    )
    assert.equal(errorDetails, 'the battery is low')
  })

  test('STR-82: keep-alives continue during a stream; unanswered ones end it', async (t) => {
    const { cloud } = await createStreamRig(t, {
      timing: { streamKeepAliveIntervalMs: 30, streamAckTimeoutMs: 2_000 },
    })
    const glasses = await connectCameraGlasses(t, cloud, email)
    const app = await (await StreamApp.serve(t, cloud, 'com.one')).start(email)
    const streamId = await app.startManagedStream()
    for (let beat = 0; beat < 5; beat += 1) await glasses.waitForMessage('keep_rtmp_stream_alive')
    assert.equal(glasses.streaming.streamId, streamId)
    glasses.streaming.behavior = { kind: 'ignore' }
    assert.equal((await app.waitForManagedStatus('error')).message, 'The glasses stopped responding')
  })

  test('STR-8: closing the cloud stops its streams and deletes the inputs at the provider', async (t) => {
    const { cloud, provider } = await createStreamRig(t)
    await connectCameraGlasses(t, cloud, email)
    const app = await (await StreamApp.serve(t, cloud, 'com.one')).start(email)
    await app.startManagedStream()
    provider.pause('deleteInput')
    const stopping = cloud.stop()
    await app.waitForManagedStatus('stopped')
    assert.equal(provider.pausedCalls('deleteInput'), 1)
    provider.resume('deleteInput')
    await stopping
    assert.deepEqual(provider.inputIds, [])
  })

  test('STR-2 STR-109: no ffmpeg, and a port in use', async (t) => {
    const inUse = createServer().listen(0, '127.0.0.1')
    t.after(() => inUse.close())
    await once(inUse, 'listening')
    const { port } = inUse.address() as AddressInfo
    for (const [env, problem] of [
      [
        { FFMPEG_PATH: '/nowhere/ffmpeg' },
        /^\/nowhere\/ffmpeg cannot be started; install it \(apt-get install ffmpeg\)/,
      ],
      [
        { FFMPEG_PATH: process.execPath, RTMP_PORT: `${port}` },
        /^Port \d+ for RTMP is in use; set RTMP_PORT/,
      ],
    ] as const) {
      const cloud = await startCloud(t, { env: { STREAM_PROVIDER: 'local', LOG_LEVEL: 'warn', ...env } })
      await connectCameraGlasses(t, cloud, email)
      const app = await (await StreamApp.serve(t, cloud, 'com.one')).start(email)
      app.send({ type: 'managed_stream_request' })
      const { code, message } = await app.waitForManagedStatus('error')
      assert.equal(code, 'NO_STREAMING_PROVIDER')
      assert.match(String(message), problem)
      assert.match(String(cloud.logged.find((line) => line.problem !== undefined)?.problem), problem)
      assert.match(String(cloud.cloud.limitation), /^without managed streams: /)
    }
  })

  test('STR-2 STR-83: STREAM_PROVIDER enables managed streams and is reported by the version', async (t) => {
    for (const [env, status] of [
      [{ STREAM_PROVIDER: 'none' }, 'error'],
      [{ STREAM_PROVIDER: 'memory' }, 'active'],
    ] as const) {
      const cloud = await startCloud(t, { env })
      await connectCameraGlasses(t, cloud, email)
      const app = await (await StreamApp.serve(t, cloud, 'com.one')).start(email)
      app.send({ type: 'managed_stream_request' })
      await app.waitForManagedStatus(status)
      const { body } = await cloud.request<{ providers: object }>('GET', '/api/apps/version')
      assert.equal(
        (body.providers as { streaming?: string }).streaming,
        status === 'active' ? 'memory' : undefined,
      )
    }
  })
})

describe('streams on the unmodified SDK', () => {
  test('STR-90: an app starts a managed stream with its URLs, checks its status and stops it', async (t) => {
    const cloud = await startCloud(t, { env: { STREAM_PROVIDER: 'memory' } })
    const packageName = 'dev.my-app.broadcast'
    const permissions = [{ type: 'CAMERA' as const }]
    const { app } = await SdkApp.register(t, cloud, 'broadcast', {
      packageName,
      appType: 'BACKGROUND',
      permissions,
    })
    const glasses = await connectCameraGlasses(t, cloud, email)
    const phone = new PhoneApi({ url: cloud.url, token: await cloud.token(email) })
    await phone.install(packageName)
    await phone.startApp(packageName)
    // The text is shown after the app has subscribed to its events.
    await glasses.waitForDisplay('Press the button', { timeoutMs: 20_000 })

    for (let round = 0; round < 2; round += 1) {
      const linesBefore = app.lines.length
      glasses.pressButton('camera', 'short')
      await app.waitForLine(/live at https:\S+\.m3u8 and https:\S+\.mpd/, linesBefore)
      glasses.pressButton('camera', 'long')
      await app.waitForLine(/broadcast: managed stream, active/, linesBefore)
      glasses.pressButton('camera', 'short')
      await app.waitForLine(/stream stopped/, linesBefore)
      glasses.pressButton('camera', 'long')
      await app.waitForLine(/no active stream/, linesBefore)
    }
  })
})
