import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import pino from 'pino'
import { eachDatabase } from '../../db/testing.ts'
import { UserStore } from '../../identity/index.ts'
import type { LiveInput, StreamingResult } from '../../session/index.ts'
import { systemClock } from '../../time/index.ts'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { CloudflareStreamingProvider } from './cloudflare/cloudflare-provider.ts'
import { MediaMtxStreamingProvider } from './mediamtx/mediamtx-provider.ts'
import type { ExternalProvider, StreamingProvider } from './provider.ts'
import { ProviderRecordingStore } from './provider-recording-store.ts'
import { StreamInputStore } from './stream-input-store.ts'
import { streamingProviderSuite } from './streaming-provider-suite.ts'
import type { FakeApiServer } from './testing/fake-api-server.ts'
import { CLOUDFLARE_ACCOUNT, CLOUDFLARE_TOKEN, FakeCloudflare } from './testing/fake-cloudflare.ts'
import { FakeMediaMtx } from './testing/fake-mediamtx.ts'
import { TrackedProvider } from './tracked-provider.ts'

const targets = { good: 'rtmp://tv.test/app/key-good', bad: 'rtmp://bad.test/app/key-bad' }

function cloudflare(fake: FakeCloudflare, options: { token?: string; keepVideos?: boolean } = {}) {
  return new CloudflareStreamingProvider({
    settings: {
      accountId: CLOUDFLARE_ACCOUNT,
      apiToken: options.token ?? CLOUDFLARE_TOKEN,
      apiUrl: new URL(`${fake.server.url}/client/v4`),
    },
    keepVideos: options.keepVideos ?? false,
    clock: systemClock,
  })
}

function mediaMtx(fake: FakeMediaMtx, allowPrivateNetworks = true) {
  return new MediaMtxStreamingProvider({
    settings: {
      apiUrl: new URL(fake.server.url.replace('http://', 'http://user:p%40ss@')),
      rtmpUrl: new URL('rtmp://media.test:1935'),
      hlsUrl: new URL('https://media.test/hls/'),
      webrtcUrl: new URL('https://media.test:8889'),
    },
    allowPrivateNetworks,
    clock: systemClock,
  })
}

/** Lets the suite use a provider whose inputs have names. */
function named(provider: ExternalProvider): StreamingProvider {
  let count = 0
  return new Proxy(provider, {
    get: (target, property) => {
      const member = Reflect.get(target, property)
      if (property !== 'createInput') return typeof member === 'function' ? member.bind(target) : member
      return (owner: { userId: string }) => {
        count += 1
        return target.createInput({ ...owner, name: `name${count}` })
      }
    },
  }) as StreamingProvider
}

function value<Value>(result: StreamingResult<Value>): Value {
  assert.ok(result.ok, result.ok ? '' : result.message)
  return result.value
}

const create = async (provider: ExternalProvider, name = 'one'): Promise<LiveInput> =>
  value(await provider.createInput({ userId: 'u', name }))

describe('external providers', () => {
  streamingProviderSuite('cloudflare', async (t) => {
    const fake = await FakeCloudflare.start(t)
    return { provider: named(cloudflare(fake)), settle: async (id) => fake.goLive(id), targets }
  })

  streamingProviderSuite('mediamtx', async (t) => {
    const fake = await FakeMediaMtx.start(t)
    return { provider: named(mediaMtx(fake)), settle: async (id) => fake.goLive(id), targets }
  })

  for (const [name, open] of [
    ['cloudflare', async (t: TestContext) => openCloudflare(t)],
    ['mediamtx', async (t: TestContext) => openMediaMtx(t)],
  ] as const) {
    test(`STR-120: ${name}: rate limits, server errors and lost connections are retried where that is safe`, async (t) => {
      const { provider, server } = await open(t)
      const { inputId } = await create(provider)
      for (const faults of [
        [{ answer: { status: 429, headers: { 'retry-after': '0' } } }, { answer: { status: 429 } }],
        [{ answer: { status: 503, body: '<html>' } }, { loses: 'connection', afterEffect: false }],
      ] as const) {
        server.faults.push(...faults)
        assert.equal(value(await provider.isReady(inputId)), false)
        assert.equal(server.faults.length, 0)
      }
      // A repeated creation could leave a second input behind.
      const before = server.calls.length
      server.faults.push({ answer: { status: 500 } })
      assert.equal((await provider.createInput({ userId: 'u', name: 'two' })).ok, false)
      assert.equal(server.calls.length, before + 1)
      server.faults.push({ loses: 'connection', afterEffect: true })
      assert.equal((await provider.deleteInput(inputId)).ok, true)
    })

    test(`STR-121: ${name}: other failures are reported at once, without secrets`, async (t) => {
      const { provider, server } = await open(t)
      const { inputId } = await create(provider)
      for (const [answer, message] of [
        [{ status: 429, headers: { 'retry-after': '3600' } }, /status 429/],
        [
          { status: 403, body: { errors: [{ message: 'not allowed' }], error: 'not allowed' } },
          /status 403: not allowed/,
        ],
        [{ status: 200, body: 'no JSON' }, /something other than JSON/],
        [{ status: 200, body: { result: 7, online: 'yes' } }, /unknown form/],
        [{ status: 302, headers: { location: 'http://127.0.0.1:9/' } }, /./],
      ] as const) {
        // A lost connection is retried, so the redirect is answered three times.
        server.faults.push(...Array(answer.status === 302 ? 3 : 1).fill({ answer }))
        const result = await provider.isReady(inputId)
        assert.ok(!result.ok)
        assert.match(result.message, message)
        assert.equal(server.faults.length, 0)
        assert.doesNotMatch(result.message, /secret|token|p@ss/)
      }
    })
  }

  test('STR-121: a provider that does not respond fails within the time of a request', async (t) => {
    const fake = await FakeCloudflare.start(t)
    const provider = cloudflare(fake)
    fake.server.faults.push({ loses: 'response' })
    const result = await provider.createInput({ name: 'slow' })
    assert.equal(!result.ok && result.message, 'The provider did not respond in time')
  })

  test('STR-122: cloudflare: URLs, recording and stream keys are those of its API', async (t) => {
    const fake = await FakeCloudflare.start(t)
    const provider = cloudflare(fake)
    const input = await create(provider)
    const base = `https://customer-abc.cloudflarestream.com/${input.inputId}`
    assert.equal(input.ingestUrl, `rtmps://live.cloudflare.com:443/live/secret-key-of-${input.inputId}`)
    assert.deepEqual(input.playback, {
      hlsUrl: `${base}/manifest/video.m3u8`,
      dashUrl: `${base}/manifest/video.mpd`,
      webrtcUrl: `${base}/webRTC/play`,
      previewUrl: `${base}/iframe`,
      thumbnailUrl: `${base}/thumbnails/thumbnail.jpg`,
    })
    assert.deepEqual(fake.server.calls[0]?.body, {
      meta: { name: 'one' },
      recording: { mode: 'automatic', requireSignedURLs: false, timeoutSeconds: 10 },
    })
    value(await provider.addOutput(input.inputId, 'rtmps://live-api-s.facebook.com:443/rtmp/FB-1?a=b/c'))
    assert.deepEqual(fake.server.calls.at(-1)?.body, {
      url: 'rtmps://live-api-s.facebook.com:443/rtmp',
      streamKey: 'FB-1?a=b/c',
      enabled: true,
    })
    assert.equal(await provider.problem(), undefined)
    assert.match(
      String(await cloudflare(fake, { token: 'wrong' }).problem()),
      /CLOUDFLARE_API_TOKEN\. The provider answered with status 401: Authentication error$/,
    )
  })

  test('STR-122: cloudflare: videos, with and without RECORD_STREAMS', async (t) => {
    const fake = await FakeCloudflare.start(t)
    for (const keepVideos of [false, true]) {
      const provider = cloudflare(fake, { keepVideos })
      const { inputId } = await create(provider)
      fake.goLive(inputId)
      value(await provider.deleteInput(inputId))
      assert.equal(fake.videos.size, keepVideos ? 1 : 0)
      assert.equal(fake.inputs.size, 0)
    }
  })

  test('STR-123: mediamtx: viewers cannot publish, and concurrent changes of outputs keep each other', async (t) => {
    const fake = await FakeMediaMtx.start(t)
    const provider = mediaMtx(fake)
    const { inputId, ingestUrl, playback } = await create(provider)
    assert.match(ingestUrl, /^rtmp:\/\/media\.test:1935\/glasses-in-[0-9a-f]{36}$/)
    assert.deepEqual(playback, {
      hlsUrl: `https://media.test/hls/${inputId}/index.m3u8`,
      dashUrl: `https://media.test/hls/${inputId}/index.m3u8`,
      webrtcUrl: `https://media.test:8889/${inputId}/whep`,
      previewUrl: `https://media.test/hls/${inputId}/`,
    })
    assert.equal(fake.paths.get(inputId)?.source, ingestUrl)
    const ingest = fake.paths.get(String(ingestUrl.split('/').at(-1)))
    assert.equal(ingest?.source, 'publisher')
    const urls = [1, 2, 3].map((number) => `rtmp://tv.test/app/key${number}`)
    const [first] = await Promise.all(urls.map((url) => provider.addOutput(inputId, url)))
    assert.ok(first?.ok)
    await Promise.all([
      provider.removeOutput(inputId, first.value),
      provider.addOutput(inputId, 'rtmp://tv.test/app/key4'),
    ])
    const forwarded = fake.paths.get(String(ingestUrl.split('/').at(-1)))?.forward
    assert.deepEqual(
      forwarded?.map(({ dest }) => dest.slice(-1)),
      ['2', '3', '4'],
    )
    assert.equal(fake.server.calls[0]?.authorization, `Basic ${Buffer.from('user:p@ss').toString('base64')}`)
    assert.equal(await provider.problem(), undefined)
  })

  test('STR-123: mediamtx: an output to a private network', async (t) => {
    const provider = mediaMtx(await FakeMediaMtx.start(t), false)
    const { inputId } = await create(provider)
    for (const host of ['127.0.0.1', '[::1]', 'localhost', '10.1.2.3']) {
      const result = await provider.addOutput(inputId, `rtmp://${host}/app/key`)
      assert.equal(!result.ok && result.message, 'The target is in a private network')
    }
  })
})

describe('inputs of processes that died', () => {
  eachDatabase(({ open }) => {
    test('STR-124: inputs are recorded before use, and released when their process no longer renews them', async (t) => {
      const fake = await FakeCloudflare.start(t)
      const clock = new VirtualClock()
      const db = await open(t)
      const { id: userId } = await new UserStore(db).findOrCreate('ada@example.com', 1)
      const store = new StreamInputStore(db)
      const start = (holder: string) =>
        new TrackedProvider({
          provider: cloudflare(fake),
          store,
          recordings: new ProviderRecordingStore(db),
          holder,
          nodeUrl: () => `http://${holder}:8080`,
          clock,
          log: pino({ level: 'silent' }),
        })
      const [dying, living] = [start('dying'), start('living')]
      const lost = value(await dying.createInput({ userId }))
      // Cloudflare creates this one, but its response is lost with the process.
      fake.server.faults.push({ loses: 'connection', afterEffect: true })
      assert.equal((await dying.createInput({ userId })).ok, false)
      // And this one is lost by a process that lives on.
      fake.server.faults.push({ loses: 'connection', afterEffect: true })
      assert.equal((await living.createInput({ userId })).ok, false)
      const kept = value(await living.createInput({ userId }))
      assert.equal(fake.inputs.size, 4)
      const since = () => clock.now() - 60_000
      assert.deepEqual(await store.locate(kept.inputId, since()), {
        holder: 'living',
        nodeUrl: 'http://living:8080',
      })
      for (let minute = 0; minute < 4; minute += 1) {
        await living.sweep()
        clock.advance(60_000)
      }
      assert.equal(await store.locate(lost.inputId, since()), undefined)
      fake.server.faults.push({ answer: { status: 403 } })
      await living.sweep()
      await living.sweep()
      assert.deepEqual([...fake.inputs.keys()], [kept.inputId])
      assert.deepEqual(await store.listExpired('cloudflare', clock.now(), 10), [])
      value(await living.deleteInput(kept.inputId))
      clock.advance(60_000)
      assert.deepEqual(await store.listExpired('cloudflare', clock.now(), 10), [])
      assert.equal(fake.inputs.size, 0)
    })
  })
})

async function openCloudflare(
  t: TestContext,
): Promise<{ provider: ExternalProvider; server: FakeApiServer }> {
  const fake = await FakeCloudflare.start(t)
  return { provider: cloudflare(fake), server: fake.server }
}

async function openMediaMtx(t: TestContext): Promise<{ provider: ExternalProvider; server: FakeApiServer }> {
  const fake = await FakeMediaMtx.start(t)
  return { provider: mediaMtx(fake), server: fake.server }
}
