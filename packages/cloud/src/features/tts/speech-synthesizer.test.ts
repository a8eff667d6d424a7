import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { Agent } from 'undici'
import type { Clock } from '../../time/index.ts'
import { openAi } from './openai.ts'
import { SpeechCache } from './speech-cache.ts'
import { SpeechSynthesizer, SynthesisLimitError, type SynthesisLimits } from './speech-synthesizer.ts'
import { FakeSpeechServer, FIRST_CHUNK_BYTES, fakeAudio, speechKey } from './testing/fake-speech-server.ts'
import { SpeechProviderError } from './text-to-speech.ts'

/** A clock that advances only by `elapse`. */
class ManualClock implements Clock {
  readonly #timers = new Set<{ readonly ms: number; readonly run: () => void }>()
  now(): number {
    return 0
  }
  monotonicNow(): number {
    return 0
  }
  after(ms: number, run: () => void) {
    const timer = { ms, run }
    this.#timers.add(timer)
    return { cancel: () => void this.#timers.delete(timer) }
  }
  /** Runs the timers of at most `ms` milliseconds. */
  elapse(ms: number): void {
    for (const timer of [...this.#timers]) {
      if (timer.ms > ms || !this.#timers.delete(timer)) continue
      timer.run()
    }
  }
}

const CHUNK_TIMEOUT_MS = 30_000
const SYNTHESIS_TIMEOUT_MS = 300_000
const LISTENER_TIMEOUT_MS = 600_000

async function setUp(t: TestContext, limits: Partial<SynthesisLimits> = {}, isReachable = true) {
  const server = await FakeSpeechServer.start(t)
  const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-'))
  const dispatcher = new Agent()
  const clock = new ManualClock()
  const sources: string[] = []
  const charged = { characters: 0 }
  const synthesizer = new SpeechSynthesizer({
    provider: openAi({
      dispatcher,
      apiKey: speechKey,
      baseUrl: isReachable ? server.url : 'http://127.0.0.1:1',
      voice: undefined,
      model: undefined,
    }),
    cache: await SpeechCache.open(folder, 1_000_000, pino({ level: 'silent' })),
    clock,
    limits,
    budget: {
      charge: async (_caller, characters) => {
        charged.characters += characters
        return async () => {
          charged.characters -= characters
          throw new Error('the database is away')
        }
      },
    },
    count: (source) => sources.push(source),
  })
  t.after(async () => {
    await synthesizer.close()
    await dispatcher.destroy()
    await rm(folder, { recursive: true, force: true })
  })
  const speak = (
    text: string,
    signal = new AbortController().signal,
    overrides: object = {},
    caller = 'me',
  ) =>
    synthesizer.synthesize(
      { text, voice: 'alloy', model: 'tts-1', settings: {}, ...overrides },
      caller,
      signal,
    )
  return { server, charged, synthesizer, clock, sources, speak, cachedFiles: () => readdir(folder) }
}

async function first(stream: Readable): Promise<Buffer> {
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) return chunk
  assert.fail('no audio')
}

describe('speech synthesizer', () => {
  test('TTS-20: one text, with one difference after another', async (t) => {
    const { server, speak, synthesizer, sources } = await setUp(t)
    assert.deepEqual(await buffer((await speak('Hello')).stream), fakeAudio('Hello'))
    await synthesizer.idle()
    const again = await speak('Hello')
    assert.equal(again.bytes, fakeAudio('Hello').length)
    assert.deepEqual(await buffer(again.stream), fakeAudio('Hello'))
    assert.equal(server.requests.length, 1)
    for (const overrides of [
      { voice: 'nova' },
      { model: 'tts-1-hd' },
      { settings: { speed: 0.9 } },
      { settings: { style: 0 } },
    ])
      await buffer((await speak('Hello', undefined, overrides)).stream)
    await buffer((await speak('hello')).stream)
    await synthesizer.idle()
    assert.equal(server.requests.length, 6)
    await buffer((await speak('Hello', undefined, { settings: { speed: 0.9 } })).stream)
    assert.deepEqual(sources, [
      'provider',
      'cache',
      'provider',
      'provider',
      'provider',
      'provider',
      'provider',
      'cache',
    ])
  })

  test('TTS-21: a second listener during the synthesis', async (t) => {
    const { server, speak, sources } = await setUp(t)
    server.behavior = 'hold'
    const one = (await speak('Hello')).stream
    assert.equal((await first(one)).length, FIRST_CHUNK_BYTES)
    const [two, three] = await Promise.all([speak('Hello'), speak('Hello')])
    server.release()
    const rest = await buffer(one)
    assert.deepEqual(rest, fakeAudio('Hello').subarray(FIRST_CHUNK_BYTES))
    assert.deepEqual(await buffer(two.stream), fakeAudio('Hello'))
    assert.deepEqual(await buffer(three.stream), fakeAudio('Hello'))
    assert.equal(server.requests.length, 1)
    assert.deepEqual(sources, ['provider', 'shared', 'shared'])
  })

  test('TTS-22: the synthesis is canceled when the last listener disconnects, not before, and nothing is cached', async (t) => {
    const { server, speak, cachedFiles } = await setUp(t)
    server.behavior = 'hold'
    const one = (await speak('Hello')).stream
    const two = (await speak('Hello')).stream
    await first(one)
    one.destroy()
    assert.equal((await first(two)).length, FIRST_CHUNK_BYTES)
    two.destroy()
    await server.idle()
    assert.deepEqual(await cachedFiles(), [])
    server.behavior = 'speak'
    assert.deepEqual(await buffer((await speak('Hello')).stream), fakeAudio('Hello'))
  })

  test('TTS-22: a client that disconnects before the first audio cancels the synthesis', async (t) => {
    const { server, speak } = await setUp(t)
    server.behavior = 'silent'
    const controller = new AbortController()
    const requested = server.requestReceived()
    const spoken = speak('Hello', controller.signal)
    await requested
    controller.abort()
    await assert.rejects(spoken)
    await server.idle()
  })

  test('TTS-22: a connection that the provider closes early ends the audio with an error, and nothing is cached', async (t) => {
    const { server, speak, cachedFiles } = await setUp(t)
    server.behavior = 'break'
    await assert.rejects(buffer((await speak('Hello')).stream), SpeechProviderError)
    assert.deepEqual(await cachedFiles(), [])
    server.behavior = 'speak'
    assert.deepEqual(await buffer((await speak('Hello')).stream), fakeAudio('Hello'))
  })

  test('TTS-12: the provider is read only a certain size ahead of the fastest listener', async (t) => {
    const { server, speak } = await setUp(t, { readAheadBytes: 200_000 })
    server.behavior = 'endless'
    const stalled = server.stalled()
    const { stream } = await speak('Hello')
    await stalled
    stream.destroy()
    await server.idle()
  })

  test('TTS-25: a provider that returns no audio, or none in time, has failed', async (t) => {
    const { server, speak, clock } = await setUp(t)
    server.behavior = 'silent'
    const requested = server.requestReceived()
    const silent = speak('Hello')
    await requested
    clock.elapse(CHUNK_TIMEOUT_MS)
    await assert.rejects(silent, /takes too long/)
    await server.idle()
    server.behavior = 'empty'
    await assert.rejects(speak('Hello'), /gave no sound/)
    server.behavior = 'hold'
    const { stream } = await speak('Hello')
    const audio = buffer(stream)
    clock.elapse(CHUNK_TIMEOUT_MS)
    await assert.rejects(audio, /takes too long/)
    await server.idle()
  })

  test('TTS-26: audio above the maximum size is aborted', async (t) => {
    const { server, speak } = await setUp(t, { maxBytes: 200_000 })
    server.behavior = 'endless'
    await assert.rejects(buffer((await speak('Hello')).stream), /does not end/)
    await server.idle()
  })

  test('TTS-27: syntheses above the limit are rejected; shared and cached speech is not', async (t) => {
    const { server, speak, synthesizer } = await setUp(t, { maxConcurrent: 1 })
    await buffer((await speak('kept')).stream)
    await synthesizer.idle()
    server.behavior = 'hold'
    const { stream } = await speak('Hello')
    await assert.rejects(speak('another'), SynthesisLimitError)
    const shared = await speak('Hello')
    assert.deepEqual(await buffer((await speak('kept')).stream), fakeAudio('kept'))
    server.release()
    await Promise.all([buffer(stream), buffer(shared.stream)])
    server.behavior = 'speak'
    assert.deepEqual(await buffer((await speak('another')).stream), fakeAudio('another'))
  })

  test('TTS-29: one caller cannot occupy all slots', async (t) => {
    const { server, speak } = await setUp(t, { maxConcurrent: 2, maxConcurrentPerCaller: 1 })
    server.behavior = 'hold'
    const { stream } = await speak('mine')
    await assert.rejects(speak('mine, too'), SynthesisLimitError)
    const yours = await speak('yours', undefined, {}, 'you')
    server.release()
    await Promise.all([buffer(stream), buffer(yours.stream)])
    server.behavior = 'speak'
    assert.deepEqual(await buffer((await speak('mine, too')).stream), fakeAudio('mine, too'))
  })

  test('TTS-36: a client that does not read does not occupy a slot', async (t) => {
    const { server, speak, synthesizer } = await setUp(t, { maxConcurrent: 1, maxConcurrentPerCaller: 1 })
    const { stream } = await speak('not read')
    await server.idle()
    let other: Readable | undefined
    for (let attempt = 0; !other && attempt < 10_000; attempt += 1) {
      await setImmediate()
      other = await speak('another').then(
        (spoken) => spoken.stream,
        () => undefined,
      )
    }
    assert.ok(other, 'the slot was not released')
    assert.deepEqual(await buffer(other), fakeAudio('another'))
    assert.deepEqual(await buffer(stream), fakeAudio('not read'), 'it can still be read')
    await synthesizer.idle()
  })

  test('TTS-35: a synthesis and its listeners have deadlines', async (t) => {
    const { server, speak, synthesizer, clock } = await setUp(t, { readAheadBytes: 200_000 })
    server.behavior = 'endless'
    const stalled = server.stalled()
    const endless = (await speak('endless')).stream
    await stalled
    clock.elapse(SYNTHESIS_TIMEOUT_MS)
    await assert.rejects(buffer(endless), /did not finish in time/)
    await server.idle()

    server.behavior = 'speak'
    const unread = (await speak('Hello')).stream
    const failed = once(unread, 'error')
    clock.elapse(LISTENER_TIMEOUT_MS)
    assert.match(String(await failed), /did not read the speech in time/)
    await buffer((await speak('Hello')).stream)
    await synthesizer.idle()
    const cached = (await speak('Hello')).stream
    const closed = once(cached, 'error')
    clock.elapse(LISTENER_TIMEOUT_MS)
    assert.match(String(await closed), /did not read the speech in time/)
  })

  test('TTS-37: speech for slow clients occupies limited memory, of which the oldest is aborted', async (t) => {
    const size = fakeAudio('one').length
    const { speak, server, synthesizer } = await setUp(t, { maxBufferedBytes: 2 * size })
    const streams: Readable[] = []
    const failed = Promise.withResolvers<unknown>()
    for (const text of ['one', 'two', 'three']) {
      const { stream } = await speak(text)
      if (streams.length === 0) stream.once('error', failed.resolve)
      streams.push(stream)
      await server.idle()
    }
    assert.match(String(await failed.promise), /clients that read slowly/)
    const [, two, three] = streams
    assert.ok(two && three)
    assert.deepEqual(await buffer(two), fakeAudio('two'))
    assert.deepEqual(await buffer(three), fakeAudio('three'))
    await synthesizer.idle()
  })

  test('TTS-28: closing cancels pending syntheses', async (t) => {
    const { server, speak, synthesizer } = await setUp(t)
    server.behavior = 'hold'
    const { stream } = await speak('Hello')
    const audio = buffer(stream)
    void synthesizer.close()
    await assert.rejects(audio, /going down/)
    await server.idle()
  })
})

describe('charges of speech', () => {
  test('TTS-38: a text that the provider has received is charged, also if the client disconnects', async (t) => {
    const { server, speak, charged } = await setUp(t)
    server.behavior = 'silent'
    const controller = new AbortController()
    const received = server.requestReceived()
    const speech = speak('Hello', controller.signal)
    await received
    controller.abort()
    await assert.rejects(speech)
    await server.idle()
    assert.equal(charged.characters, 5)
  })

  test('TTS-38: so is one that the provider does not answer in time', async (t) => {
    const { server, clock, speak, charged } = await setUp(t)
    server.behavior = 'silent'
    const received = server.requestReceived()
    const speech = speak('Hello')
    await received
    clock.elapse(CHUNK_TIMEOUT_MS)
    await assert.rejects(speech, SpeechProviderError)
    await server.idle()
    assert.equal(charged.characters, 5)
  })

  test('TTS-38: a text that the provider rejects is not charged', async (t) => {
    const { server, speak, charged } = await setUp(t)
    server.behavior = 429
    // The error is that of the provider, although the refund fails too.
    await assert.rejects(
      speak('Hello'),
      (error) => error instanceof SpeechProviderError && error.status === 429,
    )
    assert.equal(charged.characters, 0)
  })

  test('TTS-38: nor is one that could not be sent', async (t) => {
    const { speak, charged } = await setUp(t, {}, false)
    await assert.rejects(speak('Hello'), SpeechProviderError)
    assert.equal(charged.characters, 0)
  })
})
