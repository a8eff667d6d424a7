import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, describe, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Agent } from 'undici'
import { skipIfMissing } from '../../../test/support/optional-part.ts'
import { findProgram } from '../../config/index.ts'
import { elevenLabs } from './elevenlabs.ts'
import { espeak } from './espeak.ts'
import { createFlitePool, type FlitePool, flite } from './flite/flite.ts'
import { openAi } from './openai.ts'
import { childProcessIds, childrenBlocked, childrenExited } from './testing/children.ts'
import { espeakMissing } from './testing/espeak-missing.ts'
import { FakeSpeechServer, fakeAudio, speechKey } from './testing/fake-speech-server.ts'
import { SpeechProviderError, type TextToSpeech, UnsupportedSpeechError } from './text-to-speech.ts'
import { type SpeechUnderTest, textToSpeechSuite } from './text-to-speech-suite.ts'

const programs = ['espeak-ng', 'lame']
const run = promisify(execFile)
const recognizerMissing = skipIfMissing(
  ['lame', 'pocketsphinx_continuous'].every(findProgram)
    ? undefined
    : 'lame or a recognizer is not installed (apt-get install lame pocketsphinx pocketsphinx-en-us)',
)
const never = new AbortController().signal

type CreateProvider = (server: FakeSpeechServer, dispatcher: Agent, apiKey: string) => TextToSpeech

const elevenLabsAt: CreateProvider = ({ url: baseUrl }, dispatcher, apiKey) =>
  elevenLabs({ dispatcher, apiKey, baseUrl, voice: 'Rachel', model: undefined })
const openAiAt: CreateProvider = ({ url: baseUrl }, dispatcher, apiKey) =>
  openAi({ dispatcher, apiKey, baseUrl, voice: undefined, model: undefined })

async function overHttp(
  t: TestContext,
  createProvider: CreateProvider,
): Promise<SpeechUnderTest & { server: FakeSpeechServer }> {
  const server = await FakeSpeechServer.start(t)
  const dispatcher = new Agent()
  t.after(() => dispatcher.destroy())
  return {
    server,
    speech: createProvider(server, dispatcher, speechKey),
    makeLong: () => {
      server.behavior = 'endless'
    },
    stalled: () => server.stalled(),
    idle: () => server.idle(),
    cut: () => server.closeResponses(),
    failing: createProvider(server, dispatcher, 'a wrong key'),
    failingStatus: 401,
  }
}

describe('ElevenLabs', () => {
  textToSpeechSuite((t) => overHttp(t, elevenLabsAt))

  test('TTS-50: requests match the documented API of ElevenLabs', async (t) => {
    const { server, speech } = await overHttp(t, elevenLabsAt)
    const settings = { stability: 0.2, use_speaker_boost: false }
    const request = { text: 'Hello', voice: 'A voice/of mine', model: 'eleven_v3', settings }
    const audio = await buffer(await speech.synthesize(request, never))
    assert.deepEqual(audio, fakeAudio('Hello'))
    await buffer(await speech.synthesize({ ...request, settings: {} }, never))
    const path = '/v1/text-to-speech/A%20voice%2Fof%20mine/stream'
    assert.deepEqual(server.requests, [
      { path, body: { text: 'Hello', model_id: 'eleven_v3', voice_settings: settings } },
      { path, body: { text: 'Hello', model_id: 'eleven_v3' } },
    ])
    assert.equal(speech.model, 'eleven_flash_v2_5')
  })
})

describe('OpenAI and compatible servers', () => {
  textToSpeechSuite((t) => overHttp(t, openAiAt))

  test('TTS-51: requests match the documented API of OpenAI; of the settings only the speed is sent', async (t) => {
    const { server, speech } = await overHttp(t, openAiAt)
    const request = { text: 'Hello', voice: 'alloy', model: 'kokoro', settings: { speed: 0.8, style: 1 } }
    const audio = await buffer(await speech.synthesize(request, never))
    assert.deepEqual(audio, fakeAudio('Hello'))
    const body = { input: 'Hello', voice: 'alloy', model: 'kokoro', response_format: 'mp3', speed: 0.8 }
    assert.deepEqual(server.requests, [{ path: '/v1/audio/speech', body }])
  })

  test('TTS-51: a text that the server finds too long is requested in parts that end with sentences', async (t) => {
    const { server, speech } = await overHttp(t, openAiAt)
    server.contentType = 'binary/octet-stream'
    const long = 'It is late, and we walk home. '.repeat(166).trim()
    const request = { voice: 'alloy', model: 'tts-1', settings: {} }
    for (const text of [long, '长'.repeat(4_500)]) {
      server.requests.length = 0
      const audio = await buffer(await speech.synthesize({ ...request, text }, never))
      const [whole, ...parts] = server.requests.map(({ body }) => String(body.input))
      assert.equal(whole, text)
      assert.equal(parts.join(''), text)
      assert.equal(parts.length, 3)
      if (text === long) assert.ok(parts.every((part) => part.trim().endsWith('.')))
      assert.deepEqual(audio, Buffer.concat(parts.map(fakeAudio)))
    }
    server.requests.length = 0
    await buffer(await speech.synthesize({ ...request, text: long.slice(0, 4_096) }, never))
    assert.equal(server.requests.length, 1, 'what it accepts is requested as it is')
  })

  test('TTS-44: an error contains the error code of the provider, never its message', async (t) => {
    const { server, speech } = await overHttp(t, openAiAt)
    const request = { text: 'Hello', voice: 'alloy', model: 'kokoro', settings: {} }
    const failure = async (behaviour: FakeSpeechServer['behavior']) => {
      server.behavior = behaviour
      const error = await speech.synthesize(request, never).then(
        () => assert.fail('the synthesis succeeded'),
        (error: unknown) => error,
      )
      assert.ok(error instanceof SpeechProviderError)
      return { message: error.message, status: error.status }
    }
    const message = 'The speech provider answered 429 (quota_exceeded)'
    assert.deepEqual(await failure(429), { message, status: 429 })
    const page = 'The speech provider answered with text/html, not with sound'
    assert.deepEqual(await failure('page'), { message: page, status: 200 })
  })
})

describe('flite', () => {
  const workers = createFlitePool()
  after(() => workers.close())

  /** An adapter that records the passages which it sends to the workers. */
  function recordingFlite(pool: FlitePool) {
    const passages: string[] = []
    const run: FlitePool['run'] = (passage, signal) => {
      passages.push(passage.text)
      return pool.run(passage, signal)
    }
    return { passages, speech: flite({ voice: 'slt', pool: { run } }) }
  }

  /** Polls, because the workers report nothing. */
  async function until(condition: () => boolean): Promise<void> {
    for (const deadline = Date.now() + 20_000; !condition(); await pause(5))
      if (Date.now() > deadline) throw new Error('the workers did not reach that state in time')
  }

  textToSpeechSuite(async (t) => {
    const pool = createFlitePool()
    const nowhere = 'file:///nowhere/flite.wasm'
    const failingPool = createFlitePool(nowhere)
    t.after(() => Promise.all([pool.close(), failingPool.close()]))
    const { passages, speech } = recordingFlite(pool)
    return {
      speech,
      isLatinOnly: true,
      makeLong() {},
      async stalled() {
        let idlePolls = 0
        await until(() => {
          idlePolls = passages.length > 0 && pool.jobs === 0 ? idlePolls + 1 : 0
          return idlePolls === 10
        })
        assert.ok(passages.length < 3, `${passages.length} passages were synthesized without a reader`)
      },
      idle: () => until(() => pool.jobs === 0),
      cut: () => void pool.close(),
      failing: flite({ voice: 'slt', pool: failingPool, program: nowhere }),
      failingStatus: undefined,
    }
  })

  /** Synthesizes a text with the default settings. */
  const speak = async (text: string, { voice = 'slt', speed = 1 } = {}) => {
    const speech = flite({ voice: 'slt', pool: workers })
    return buffer(await speech.synthesize({ text, voice, model: undefined, settings: { speed } }, never))
  }
  /** Duration in seconds of MP3 with 48 kbit/s. */
  const secondsOf = ({ length }: Buffer) => length / 6_000

  test('TTS-71: each voice differs, and the speed changes the duration', async () => {
    const text = 'The meeting starts at seven in the evening.'
    const voices = ['slt', 'awb', 'kal', 'kal16', 'rms']
    const spoken = await Promise.all(voices.map((voice) => speak(text, { voice })))
    assert.equal(new Set(spoken.map((audio) => audio.toString('base64'))).size, voices.length)
    for (const audio of spoken) assert.ok(Math.abs(secondsOf(audio) - 2.5) < 0.5, `${secondsOf(audio)} s`)
    assert.deepEqual(await speak(text, { voice: 'en-GB' }), await speak(text, { voice: 'SLT' }))
    const [slow, fast] = [await speak(text, { speed: 0.7 }), await speak(text, { speed: 1.2 })]
    assert.ok(slow.length > fast.length * 1.5, `${secondsOf(slow)} s and ${secondsOf(fast)} s`)
  })

  test('TTS-72: other languages are rejected with a solution; voices of other providers are replaced', async () => {
    const solution = 'it speaks English only; other languages need TTS_PROVIDER=espeak, elevenlabs or openai'
    const cases = [
      ['de', `flite has no voice for German (de): ${solution}`],
      ['fr-FR', `flite has no voice for French (fr-FR): ${solution}`],
      ['cmn', `flite has no voice for Chinese (cmn): ${solution}`],
    ] as const
    for (const [voice, message] of cases)
      await assert.rejects(speak('Hello', { voice }), new UnsupportedSpeechError(message))
    const usual = await speak('Hello', { voice: 'slt' })
    for (const voice of ['Rachel', 'nova', 'Sam', '21m00Tcm4TlvDq8ikWAM'])
      assert.deepEqual(await speak('Hello', { voice }), usual)
  })

  test('TTS-75: a short text does not wait for a long one', async (t) => {
    const pool = createFlitePool()
    t.after(() => pool.close())
    const { passages, speech } = recordingFlite(pool)
    const request = { voice: 'slt', model: undefined, settings: {} }
    const greet = async () => buffer(await speech.synthesize({ ...request, text: 'Hello' }, never))
    // Starts every worker, because that takes longer than a passage.
    await Promise.all([greet(), greet()])
    passages.length = 0
    const long = speech.synthesize({ ...request, text: 'One two three four five. '.repeat(200) }, never)
    const reading = buffer(await long)
    await greet()
    assert.ok(passages.includes('Hello'))
    assert.ok(passages.length < 10, `${passages.length} passages were synthesized first`)
    await pool.close()
    await assert.rejects(reading, SpeechProviderError)
  })

  test('TTS-70: a recognizer understands the speech', { skip: recognizerMissing }, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'flite-'))
    t.after(() => rm(folder, { recursive: true }))
    const [mp3, wav] = [join(folder, 'speech.mp3'), join(folder, 'speech.wav')]
    await writeFile(mp3, await speak('The meeting starts at seven in the evening.'))
    await run('lame', ['--quiet', '--decode', mp3, wav])
    const { stdout } = await run('pocketsphinx_continuous', ['-infile', wav])
    assert.equal(stdout.trim(), 'the meeting starts at seven in the evening')
  })
})

describe('espeak', { skip: espeakMissing }, () => {
  textToSpeechSuite(async (t) => {
    t.after(() => childrenExited(programs))
    return {
      speech: espeak({ voice: undefined }),
      makeLong() {},
      stalled: () => childrenBlocked(programs),
      idle: () => childrenExited(programs),
      cut: () => {
        for (const pid of childProcessIds('espeak-ng')) process.kill(pid, 'SIGKILL')
      },
      failing: espeak({ voice: undefined, programs: { espeak: 'espeak-ng', lame: 'no-such-lame' } }),
      failingStatus: undefined,
    }
  })

  const sizeOf = async (voice: string, speed: number, defaultVoice?: string) => {
    const request = { text: 'One two three four five', voice, model: undefined, settings: { speed } }
    const audio = await espeak({ voice: defaultVoice }).synthesize(request, never)
    return buffer(audio)
  }

  test('TTS-52: a language tag and a voice of another provider', async () => {
    const [english, german, foreign, path] = await Promise.all([
      sizeOf('en', 1),
      sizeOf('de', 1),
      sizeOf('JBFqnCBsd6RMkjVDRZzb', 1, 'DE'),
      sizeOf('../../../etc/passwd', 1),
    ])
    assert.notDeepEqual(german, english)
    assert.deepEqual(foreign, german)
    assert.deepEqual(path, english)
  })

  test('TTS-52: each spelling of a language tag has its nearest voice', async () => {
    for (const [name, ...tags] of [
      ['en-us', 'en_US', 'EN-us'],
      ['de', 'de_AT', 'DE-de'],
      ['pt-br', 'pt_BR', 'PT-br'],
      ['cmn', 'zh-CN', 'zh_Hans_CN'],
      ['nb', 'no-NO', 'nb_NO'],
    ]) {
      const expected = await sizeOf(String(name), 1)
      for (const tag of tags) assert.ok(expected.equals(await sizeOf(tag, 1)), `${tag} as ${name}`)
    }
  })

  test('TTS-53: the speed changes the duration', async () => {
    assert.ok((await sizeOf('en', 0.7)).length > (await sizeOf('en', 1.2)).length * 1.2)
  })

  test('TTS-54: an invalid default voice is reported to the operator', async () => {
    assert.match((await espeak({ voice: 'Rachel' }).problem()) ?? '', /^TTS_VOICE Rachel is no voice/)
  })

  test('TTS-9: if no more files can be opened, only the speech fails', async () => {
    const main = fileURLToPath(new URL('./testing/starved-main.ts', import.meta.url))
    const { stdout } = await run('sh', ['-c', `ulimit -n 64; exec "$0" "$1"`, process.execPath, main])
    assert.equal(stdout.trim(), 'SpeechProviderError begun')
  })
})
