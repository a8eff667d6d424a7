import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { WebSocket } from 'ws'
import { codedSpeech } from '../../session/testing/coded-speech.ts'
import { systemClock } from '../../time/index.ts'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { deepgram } from './deepgram.ts'
import { openAi } from './openai.ts'
import { soniox } from './soniox.ts'
import { RecordedStream, speechToTextSuite } from './speech-to-text-suite.ts'
import { FakeDeepgramConnection } from './testing/fake-deepgram.ts'
import { FakeOpenAiConnection } from './testing/fake-openai.ts'
import { FakeSocketProvider, FakeTcpProvider, providerKey } from './testing/fake-provider.ts'
import { FakeSonioxConnection } from './testing/fake-soniox.ts'
import { FakeVoskConnection } from './testing/fake-vosk.ts'
import { FakeWyomingConnection } from './testing/fake-wyoming.ts'
import { vosk } from './vosk.ts'
import { wyoming } from './wyoming.ts'

const clock = systemClock
const urlOf = ({ port }: FakeSocketProvider) => new URL(`ws://127.0.0.1:${port}/listen`)

/** Waits until the predicate holds, at the next audio or message that the server receives. */
async function until(isDone: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!isDone() && Date.now() < deadline) await new Promise((resolve) => setImmediate(resolve))
  assert.ok(isDone())
}

describe('soniox', () => {
  const start = async (t: TestContext, overrides = {}) => {
    const server = await FakeSocketProvider.start(t, FakeSonioxConnection)
    const provider = soniox({ apiKey: providerKey, url: urlOf(server), clock, ...overrides })
    return { provider, server, hasKey: true, capFailure: 'expired', unsupportedLanguage: 'xx-XX' } as const
  }
  speechToTextSuite(start)

  test('STT-41: the start request names model, audio format, languages and features; the key is in the handshake', async (t) => {
    const { provider, server } = await start(t)
    const stream = new RecordedStream(provider, {
      language: 'es-ES',
      hints: ['en'],
      identifiesLanguage: false,
    })
    t.after(() => stream.stream.close())
    await stream.until(() => stream.isReady)
    await stream.recognize(codedSpeech([1]))
    assert.equal(server.request?.headers.authorization, `Bearer ${providerKey}`)
    assert.deepEqual(server.received[0], {
      model: 'stt-rt-v5',
      audio_format: 'pcm_s16le',
      sample_rate: 16_000,
      num_channels: 1,
      language_hints: ['es', 'en'],
      language_hints_strict: true,
      enable_language_identification: false,
      enable_speaker_diarization: true,
      enable_endpoint_detection: true,
    })
    const [final] = stream.finals
    assert.deepEqual(
      [final?.speakerId, final?.language, Math.round((final?.confidence ?? 0) * 10)],
      ['1', 'en', 9],
    )
  })

  test('STT-41: translations are in the same stream', async (t) => {
    const { provider, server } = await start(t)
    const stream = new RecordedStream(provider, { translateTo: 'de-DE' })
    t.after(() => stream.stream.close())
    await stream.until(() => stream.isReady)
    await stream.recognize(codedSpeech([2, 3]))
    assert.deepEqual(server.received[0]?.translation, { type: 'one_way', target_language: 'de' })
    assert.deepEqual(
      stream.finals.map(({ text, translation }) => [text, translation]),
      [['w2 w3', 'W2 W3']],
    )
  })

  test('STT-42: a keep-alive is sent every 8 s without audio', async (t) => {
    const virtual = new VirtualClock()
    const { provider, server } = await start(t, { clock: virtual })
    const stream = new RecordedStream(provider)
    t.after(() => stream.stream.close())
    await stream.until(() => stream.isReady)
    virtual.advance(8_000)
    virtual.advance(8_000)
    await until(() => server.received.filter(({ type }) => type === 'keepalive').length === 2)
  })

  test('STT-43: a provider that does not respond to 5 s of audio has stalled', async (t) => {
    const virtual = new VirtualClock()
    const { provider, server } = await start(t, { clock: virtual })
    const stream = new RecordedStream(provider)
    await stream.until(() => stream.isReady)
    server.fault = 'stall'
    for (let sentMs = 0; sentMs < 5_000; sentMs += 200) {
      stream.stream.push(Buffer.alloc(200 * 32))
      assert.equal(stream.failure, undefined)
      virtual.advance(200)
    }
    stream.stream.push(codedSpeech([1]))
    assert.equal(stream.failure, undefined, 'no failure is reported during a call')
    await stream.until(() => stream.failure !== undefined)
    assert.deepEqual(stream.failure, { kind: 'retryable', message: 'soniox does not respond any more' })
  })
})

describe('deepgram', () => {
  const start = async (t: TestContext, overrides = {}) => {
    const server = await FakeSocketProvider.start(t, FakeDeepgramConnection)
    const options = { apiKey: providerKey, url: urlOf(server), model: undefined, clock }
    const provider = deepgram({ ...options, ...overrides })
    return { provider, server, hasKey: true, capFailure: 'expired', unsupportedLanguage: undefined } as const
  }
  speechToTextSuite(start)

  test('STT-44: the URL names model, language and audio format, and keeps the parameters of the operator', async (t) => {
    const { server } = await start(t)
    const url = urlOf(server)
    url.searchParams.set('endpointing', '10')
    url.searchParams.set('diarize', 'true')
    const provider = deepgram({ apiKey: providerKey, url, model: 'nova-9', clock })
    for (const [language, expected] of [
      ['en-US', 'en-US'],
      ['es-ES', 'es'],
      ['auto', 'multi'],
    ]) {
      const stream = new RecordedStream(provider, { language: String(language) })
      await stream.until(() => stream.isReady)
      stream.stream.close()
      const { searchParams } = new URL(String(server.request?.url), 'ws://localhost')
      assert.deepEqual(Object.fromEntries(searchParams), {
        endpointing: '10',
        diarize: 'true',
        model: 'nova-9',
        language: expected,
        encoding: 'linear16',
        sample_rate: '16000',
        channels: '1',
        interim_results: 'true',
        smart_format: 'true',
      })
    }
    assert.equal(server.request?.headers.authorization, `Token ${providerKey}`)
  })

  test('STT-42: a keep-alive is sent every 4 s without audio', async (t) => {
    const virtual = new VirtualClock()
    const { provider, server } = await start(t, { clock: virtual })
    const stream = new RecordedStream(provider)
    t.after(() => stream.stream.close())
    await stream.until(() => stream.isReady)
    virtual.advance(4_000)
    await until(() => server.received.some(({ type }) => type === 'KeepAlive'))
  })

  test('STT-43: a pause after a finalization without an answer is not taken for a stall', async (t) => {
    const virtual = new VirtualClock()
    const { provider, server } = await start(t, { clock: virtual })
    const stream = new RecordedStream(provider)
    t.after(() => stream.stream.close())
    await stream.until(() => stream.isReady)
    await stream.recognize(codedSpeech([1]))
    const received = server.receivedBytes
    server.fault = 'stall'
    stream.stream.push(Buffer.alloc(640))
    await until(() => server.receivedBytes > received)
    server.fault = undefined
    stream.stream.finalize()
    virtual.advance(1_500)
    assert.equal(stream.finalizedCount, 2)
    virtual.advance(10_000)
    await stream.recognize(codedSpeech([2]))
    assert.deepEqual([stream.failure, stream.finalText], [undefined, 'w1 w2'])
  })

  test('STT-24: a finalization is not taken for answered while no result follows the audio', async (t) => {
    const virtual = new VirtualClock()
    const { provider, server } = await start(t, { clock: virtual })
    const stream = new RecordedStream(provider)
    t.after(() => stream.stream.close())
    await stream.until(() => stream.isReady)
    server.fault = 'stall'
    await stream.push(codedSpeech([1, 2, 3, 4, 5, 6]))
    await until(() => server.receivedBytes > 0)
    stream.stream.finalize()
    virtual.advance(provider.finalizeTimeoutMs)
    assert.equal(stream.finalizedCount, 0)
    server.fault = undefined
    stream.stream.push(Buffer.alloc(640))
    await stream.until(() => stream.segments.length > 0)
    virtual.advance(1_500)
    assert.equal(stream.finalizedCount, 1)
  })
})

describe('wyoming', () => {
  const start = async (t: TestContext) => {
    const server = await FakeTcpProvider.start(t, FakeWyomingConnection)
    const provider = wyoming({ url: new URL(`tcp://127.0.0.1:${server.port}`) })
    return { provider, server, hasKey: false, capFailure: 'retryable', unsupportedLanguage: 'fr-FR' } as const
  }
  speechToTextSuite(start)

  test('STT-40: the language has the code that the server lists', async (t) => {
    const { provider } = await start(t)
    const recorded = new RecordedStream(provider, { language: 'jv-ID' })
    t.after(() => recorded.stream.close())
    await recorded.until(() => recorded.isReady)
    await recorded.recognize(codedSpeech([1, 2]))
    assert.deepEqual([recorded.failure, recorded.finalText], [undefined, 'w1 w2'])
  })
})

describe('vosk', () => {
  const start = async (t: TestContext) => {
    const server = await FakeSocketProvider.start(t, FakeVoskConnection)
    const provider = vosk({ url: urlOf(server), languages: [], clock })
    return { provider, server, hasKey: true, capFailure: 'expired', unsupportedLanguage: undefined } as const
  }
  speechToTextSuite(start)

  test('STT-45: a server recognizes the languages of VOSK_LANGUAGES; the sample rate is configured', async (t) => {
    const { provider, server } = await start(t)
    const stream = new RecordedStream(provider)
    t.after(() => stream.stream.close())
    await stream.until(() => stream.isReady)
    await until(() => server.received.length > 0)
    assert.deepEqual(server.received[0], { config: { sample_rate: 16_000, words: true } })
    const english = vosk({ url: urlOf(server), languages: ['en-US'], clock })
    assert.deepEqual(['en-US', 'en-GB', 'de-DE', 'auto'].map(english.supports), [true, true, false, false])
    assert.deepEqual(['de-DE', 'auto'].map(provider.supports), [true, false])
  })
})

describe('openai', () => {
  const start = async (t: TestContext) => {
    const server = await FakeSocketProvider.start(t, FakeOpenAiConnection)
    const provider = openAi({ apiKey: providerKey, url: urlOf(server), model: undefined, clock })
    return { provider, server, hasKey: true, capFailure: 'expired', unsupportedLanguage: undefined } as const
  }
  speechToTextSuite(start)

  test('STT-56: a turn that fails because of the account is distinguished from one that fails otherwise', async (t) => {
    let code = ''
    class RefusingConnection {
      constructor(_: FakeSocketProvider, socket: WebSocket) {
        const type = 'conversation.item.input_audio_transcription.failed'
        socket.on('message', (data) => {
          const isStart = JSON.parse(String(data)).type === 'session.update'
          const refusal = { type, item_id: 'i', error: { type: 'server_error', code } }
          socket.send(JSON.stringify(isStart ? { type: 'session.updated' } : refusal))
        })
      }
    }
    const server = await FakeSocketProvider.start(t, RefusingConnection)
    const provider = openAi({ apiKey: providerKey, url: urlOf(server), model: undefined, clock })
    for (const [reported, kind] of [
      ['insufficient_quota', 'quota'],
      ['rate_limit_exceeded', 'quota'],
      ['invalid_api_key', 'authentication'],
      ['audio_unintelligible', 'retryable'],
    ] as const) {
      code = reported
      const stream = new RecordedStream(provider)
      await stream.until(() => stream.isReady)
      await stream.recognize(codedSpeech([1]))
      assert.equal(stream.failure?.kind, kind)
    }
  })

  test('STT-46: the request that opens a session', async (t) => {
    const { provider, server } = await start(t)
    for (const language of ['en-US', 'auto']) {
      const stream = new RecordedStream(provider, { language, hints: ['es', 'de'] })
      await stream.until(() => stream.isReady)
      stream.stream.close()
    }
    assert.match(String(server.request?.url), /\?intent=transcription$/)
    const sessionOf = (transcription: object) => ({
      type: 'session.update',
      session: {
        type: 'transcription',
        audio: {
          input: { format: { type: 'audio/pcm', rate: 24_000 }, transcription, turn_detection: null },
        },
      },
    })
    assert.deepEqual(server.received, [
      sessionOf({ model: 'gpt-live-transcribe', language: 'en' }),
      sessionOf({ model: 'gpt-live-transcribe', languages: ['es', 'de'] }),
    ])
  })
})
