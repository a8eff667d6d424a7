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
import type { Clock } from '../../session/index.ts'
import { openAi } from './openai.ts'
import { SpeechCache } from './speech-cache.ts'
import { SpeechSynthesizer, SynthesisLimitError, type SynthesisLimits } from './speech-synthesizer.ts'
import { FakeSpeechServer, firstBytes, soundOfFake, speechKey } from './testing/fake-speech-server.ts'
import { SpeechProviderError } from './text-to-speech.ts'

/** A clock that does not move by itself. */
class StillClock implements Clock {
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
  /** Runs the timers of at most that many milliseconds. */
  elapse(ms: number): void {
    for (const timer of [...this.#timers]) {
      if (timer.ms > ms || !this.#timers.delete(timer)) continue
      timer.run()
    }
  }
}

const PATIENCE_MS = 30_000
const SYNTHESIS_TIMEOUT_MS = 300_000
const LISTENER_TIMEOUT_MS = 600_000

async function speaking(t: TestContext, limits: Partial<SynthesisLimits> = {}) {
  const server = await FakeSpeechServer.start(t)
  const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-'))
  const dispatcher = new Agent()
  const clock = new StillClock()
  const sources: string[] = []
  const speaker = new SpeechSynthesizer({
    provider: openAi({
      dispatcher,
      apiKey: speechKey,
      baseUrl: server.url,
      voice: undefined,
      model: undefined,
    }),
    cache: await SpeechCache.open(folder, 1_000_000, pino({ level: 'silent' })),
    clock,
    limits,
    count: (source) => sources.push(source),
  })
  t.after(async () => {
    await speaker.close()
    await dispatcher.destroy()
    await rm(folder, { recursive: true, force: true })
  })
  const speak = (text: string, signal = new AbortController().signal, over: object = {}, by = 'me') =>
    speaker.speak({ text, voice: 'alloy', model: 'tts-1', settings: {}, ...over }, by, signal)
  return { server, speaker, clock, sources, speak, kept: () => readdir(folder) }
}

async function first(stream: Readable): Promise<Buffer> {
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) return chunk
  assert.fail('no sound')
}

describe('speaker', () => {
  test('TTS-20: the same text, voice, model and settings are spoken once; another of them is other speech', async (t) => {
    const { server, speak, speaker, sources } = await speaking(t)
    assert.deepEqual(await buffer((await speak('Hello')).stream), soundOfFake('Hello'))
    await speaker.settled()
    const again = await speak('Hello')
    assert.equal(again.bytes, soundOfFake('Hello').length)
    assert.deepEqual(await buffer(again.stream), soundOfFake('Hello'))
    assert.equal(server.requests.length, 1)
    for (const over of [
      { voice: 'nova' },
      { model: 'tts-1-hd' },
      { settings: { speed: 0.9 } },
      { settings: { style: 0 } },
    ])
      await buffer((await speak('Hello', undefined, over)).stream)
    await buffer((await speak('hello')).stream)
    await speaker.settled()
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

  test('TTS-21: a request during the synthesis of the same text receives all of its audio, and nothing is synthesized twice', async (t) => {
    const { server, speak, sources } = await speaking(t)
    server.behaviour = 'hold'
    const one = (await speak('Hello')).stream
    assert.equal((await first(one)).length, firstBytes)
    const [two, three] = await Promise.all([speak('Hello'), speak('Hello')])
    server.release()
    const rest = await buffer(one)
    assert.deepEqual(rest, soundOfFake('Hello').subarray(firstBytes))
    assert.deepEqual(await buffer(two.stream), soundOfFake('Hello'))
    assert.deepEqual(await buffer(three.stream), soundOfFake('Hello'))
    assert.equal(server.requests.length, 1)
    assert.deepEqual(sources, ['provider', 'shared', 'shared'])
  })

  test('TTS-22: the provider is let go when the last listener leaves, not before, and nothing is kept', async (t) => {
    const { server, speak, kept } = await speaking(t)
    server.behaviour = 'hold'
    const one = (await speak('Hello')).stream
    const two = (await speak('Hello')).stream
    await first(one)
    one.destroy()
    assert.equal((await first(two)).length, firstBytes)
    two.destroy()
    await server.idle()
    assert.deepEqual(await kept(), [])
    server.behaviour = 'speak'
    assert.deepEqual(await buffer((await speak('Hello')).stream), soundOfFake('Hello'))
  })

  test('TTS-22: who leaves before there is sound lets the provider go as well', async (t) => {
    const { server, speak } = await speaking(t)
    server.behaviour = 'silent'
    const leaving = new AbortController()
    const asked = server.asked()
    const spoken = speak('Hello', leaving.signal)
    await asked
    leaving.abort()
    await assert.rejects(spoken)
    await server.idle()
  })

  test('TTS-23: a provider that breaks off ends the sound with an error, and nothing is kept', async (t) => {
    const { server, speak, kept } = await speaking(t)
    server.behaviour = 'break'
    await assert.rejects(buffer((await speak('Hello')).stream), SpeechProviderError)
    assert.deepEqual(await kept(), [])
    server.behaviour = 'speak'
    assert.deepEqual(await buffer((await speak('Hello')).stream), soundOfFake('Hello'))
  })

  test('TTS-24: the provider is read only a certain size ahead of the fastest listener', async (t) => {
    const { server, speak } = await speaking(t, { readAheadBytes: 200_000 })
    server.behaviour = 'endless'
    const stalled = server.stalled()
    const { stream } = await speak('Hello')
    await stalled
    stream.destroy()
    await server.idle()
  })

  test('TTS-25: a provider that gives no sound in time, or none at all, has failed', async (t) => {
    const { server, speak, clock } = await speaking(t)
    server.behaviour = 'silent'
    const asked = server.asked()
    const silent = speak('Hello')
    await asked
    clock.elapse(PATIENCE_MS)
    await assert.rejects(silent, /takes too long/)
    await server.idle()
    server.behaviour = 'empty'
    await assert.rejects(speak('Hello'), /gave no sound/)
    server.behaviour = 'hold'
    const { stream } = await speak('Hello')
    const whole = buffer(stream)
    clock.elapse(PATIENCE_MS)
    await assert.rejects(whole, /takes too long/)
    await server.idle()
  })

  test('TTS-26: sound that does not end is broken off', async (t) => {
    const { server, speak } = await speaking(t, { maxBytes: 200_000 })
    server.behaviour = 'endless'
    await assert.rejects(buffer((await speak('Hello')).stream), /does not end/)
    await server.idle()
  })

  test('TTS-27: syntheses above the limit are rejected; shared and cached speech is not', async (t) => {
    const { server, speak, speaker } = await speaking(t, { atOnce: 1 })
    await buffer((await speak('kept')).stream)
    await speaker.settled()
    server.behaviour = 'hold'
    const { stream } = await speak('Hello')
    await assert.rejects(speak('another'), SynthesisLimitError)
    const shared = await speak('Hello')
    assert.deepEqual(await buffer((await speak('kept')).stream), soundOfFake('kept'))
    server.release()
    await Promise.all([buffer(stream), buffer(shared.stream)])
    server.behaviour = 'speak'
    assert.deepEqual(await buffer((await speak('another')).stream), soundOfFake('another'))
  })

  test('TTS-29: one caller cannot occupy all slots', async (t) => {
    const { server, speak } = await speaking(t, { atOnce: 2, atOnceEach: 1 })
    server.behaviour = 'hold'
    const { stream } = await speak('mine')
    await assert.rejects(speak('mine, too'), SynthesisLimitError)
    const yours = await speak('yours', undefined, {}, 'you')
    server.release()
    await Promise.all([buffer(stream), buffer(yours.stream)])
    server.behaviour = 'speak'
    assert.deepEqual(await buffer((await speak('mine, too')).stream), soundOfFake('mine, too'))
  })

  test('TTS-36: a client that does not read does not occupy a place', async (t) => {
    const { server, speak, speaker } = await speaking(t, { atOnce: 1, atOnceEach: 1 })
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
    assert.ok(other, 'the place was not released')
    assert.deepEqual(await buffer(other), soundOfFake('another'))
    assert.deepEqual(await buffer(stream), soundOfFake('not read'), 'it can still be read')
    await speaker.settled()
  })

  test('TTS-35: a synthesis and its listeners have deadlines', async (t) => {
    const { server, speak, speaker, clock } = await speaking(t, { readAheadBytes: 200_000 })
    server.behaviour = 'endless'
    const stalled = server.stalled()
    const endless = (await speak('endless')).stream
    await stalled
    clock.elapse(SYNTHESIS_TIMEOUT_MS)
    await assert.rejects(buffer(endless), /did not finish in time/)
    await server.idle()

    server.behaviour = 'speak'
    const unread = (await speak('Hello')).stream
    const failed = once(unread, 'error')
    clock.elapse(LISTENER_TIMEOUT_MS)
    assert.match(String(await failed), /did not read the speech in time/)
    await buffer((await speak('Hello')).stream)
    await speaker.settled()
    const cached = (await speak('Hello')).stream
    const closed = once(cached, 'error')
    clock.elapse(LISTENER_TIMEOUT_MS)
    assert.match(String(await closed), /did not read the speech in time/)
  })

  test('TTS-37: speech for slow clients occupies limited memory, of which the oldest is aborted', async (t) => {
    const size = soundOfFake('one').length
    const { speak, server, speaker } = await speaking(t, { maxPlayingBytes: 2 * size })
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
    assert.deepEqual(await buffer(two), soundOfFake('two'))
    assert.deepEqual(await buffer(three), soundOfFake('three'))
    await speaker.settled()
  })

  test('TTS-28: a cloud that goes down breaks off what is being spoken', async (t) => {
    const { server, speak, speaker } = await speaking(t)
    server.behaviour = 'hold'
    const { stream } = await speak('Hello')
    const whole = buffer(stream)
    void speaker.close()
    await assert.rejects(whole, /going down/)
    await server.idle()
  })
})
