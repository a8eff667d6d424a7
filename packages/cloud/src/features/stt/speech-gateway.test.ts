import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { createLog } from '../../http/log.ts'
import { Metrics } from '../../http/metrics.ts'
import { codedSpeech } from '../../session/testing/coded-speech.ts'
import { type Clock, systemClock } from '../../time/index.ts'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { soniox } from './soniox.ts'
import { SpeechGateway } from './speech-gateway.ts'
import { RecordedStream } from './speech-to-text-suite.ts'
import { FakeSocketProvider, providerKey } from './testing/fake-provider.ts'
import { FakeSonioxConnection } from './testing/fake-soniox.ts'

async function setUp(
  t: TestContext,
  { apiKey = providerKey, maxStreams = 10, clock = systemClock as Clock } = {},
) {
  const server = await FakeSocketProvider.start(t, FakeSonioxConnection)
  const url = new URL(`ws://127.0.0.1:${server.port}`)
  const lines: string[] = []
  const metrics = new Metrics()
  const gateway = new SpeechGateway({
    providers: [soniox({ apiKey, url, clock: systemClock })],
    translator: undefined,
    maxStreams,
    maxStreamsPerUser: 4,
    metrics,
    clock,
    log: createLog('info', { write: (line: string) => void lines.push(line) }),
  })
  const session = gateway.forSession()
  const [provider] = session?.providers ?? []
  assert.ok(session && provider)
  return { server, gateway, session, provider, metrics, lines }
}

describe('speech gateway', () => {
  test('STT-22: a rejected key is known to all sessions and logged once, without the key', async (t) => {
    const { gateway, provider, lines } = await setUp(t, { apiKey: 'a-wrong-key', clock: new VirtualClock() })
    const streams = [new RecordedStream(provider), new RecordedStream(provider)]
    for (const stream of streams) await stream.until(() => stream.failure !== undefined)
    assert.equal(gateway.forSession()?.providers[0]?.rejectedForMs, 30_000)
    const errors = lines.filter((line) => line.includes('rejects the key'))
    assert.equal(errors.length, 1)
    assert.match(String(errors[0]), /soniox rejects the key; it is tried again in 30 s/)
    assert.ok(lines.every((line) => !line.includes('a-wrong-key')))
  })

  test('STT-22: a rejected key is tried by one session after a delay that grows to half an hour', async (t) => {
    const clock = new VirtualClock()
    const { server, provider } = await setUp(t, { clock })
    server.fault = 'unauthorized'
    const delays: number[] = []
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const stream = new RecordedStream(provider)
      if (attempt > 0) assert.equal(provider.rejectedForMs, 10_000, 'the others wait for its result')
      await stream.until(() => stream.failure !== undefined)
      delays.push(provider.rejectedForMs / 1_000)
      clock.advance(provider.rejectedForMs)
    }
    assert.deepEqual(delays, [30, 60, 120, 240, 480, 960, 1_800, 1_800])
    server.fault = undefined
    const stream = new RecordedStream(provider)
    await stream.until(() => stream.isReady)
    assert.equal(provider.rejectedForMs, 10_000)
    await stream.recognize(codedSpeech([1, 2], 400))
    assert.equal(provider.rejectedForMs, 0)
    server.fault = 'unauthorized'
    const later = new RecordedStream(provider)
    await later.until(() => later.failure !== undefined)
    assert.equal(provider.rejectedForMs, 30_000)
  })

  test('STT-8: the streams of a process are limited over all sessions', async (t) => {
    const { gateway, session } = await setUp(t, { maxStreams: 1 })
    const release = session.reserveStream()
    assert.ok(release)
    assert.equal(gateway.forSession()?.reserveStream(), undefined)
    release()
    release()
    assert.ok(session.reserveStream())
    assert.equal(session.reserveStream(), undefined)
  })

  test('STT-72: metrics and log after speech and a failure', async (t) => {
    const { server, session, provider, metrics, lines } = await setUp(t)
    const release = session.reserveStream()
    const stream = new RecordedStream(provider)
    await stream.until(() => stream.isReady)
    await stream.recognize(codedSpeech([1, 2], 400))
    assert.match(
      await metrics.text(),
      /speech_streamed_seconds_total\{provider="soniox"\} (0\.99|1(\.0)?)\d*\n/,
    )
    assert.match(await metrics.text(), /speech_provider_connections 1\n/)
    assert.match(await metrics.text(), /speech_streams 1\n/)
    server.fault = 'drop'
    await stream.recognize(codedSpeech([3, 4]))
    release?.()
    session.recordDelay('soniox', 250)
    session.recordFailover('soniox')
    const text = await metrics.text()
    assert.match(text, /speech_failures_total\{provider="soniox",kind="retryable"\} 1\n/)
    assert.match(text, /speech_provider_connections 0\n/)
    assert.match(text, /speech_streams 0\n/)
    assert.match(text, /speech_delay_seconds_sum\{provider="soniox"\} 0.25\n/)
    assert.match(text, /speech_failovers_total\{from="soniox"\} 1\n/)
    assert.ok(lines.length > 0 && lines.every((line) => !/w[1-4]/.test(line)), lines.join())
  })
})
