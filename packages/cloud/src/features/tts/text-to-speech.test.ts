import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Agent } from 'undici'
import { elevenLabs } from './elevenlabs.ts'
import { espeak } from './espeak.ts'
import { openAi } from './openai.ts'
import { children, childrenAsleep, childrenGone } from './testing/children.ts'
import { espeakMissing } from './testing/espeak-missing.ts'
import { FakeSpeechServer, soundOfFake, speechKey } from './testing/fake-speech-server.ts'
import { SpeechProviderError, type TextToSpeech } from './text-to-speech.ts'
import { type SpeechUnderTest, textToSpeechSuite } from './text-to-speech-suite.ts'

const programs = ['espeak-ng', 'lame']
const run = promisify(execFile)
const never = new AbortController().signal

type Make = (server: FakeSpeechServer, dispatcher: Agent, apiKey: string) => TextToSpeech

const elevenLabsAt: Make = ({ url: baseUrl }, dispatcher, apiKey) =>
  elevenLabs({ dispatcher, apiKey, baseUrl, voice: 'Rachel', model: undefined })
const openAiAt: Make = ({ url: baseUrl }, dispatcher, apiKey) =>
  openAi({ dispatcher, apiKey, baseUrl, voice: undefined, model: undefined })

async function overHttp(t: TestContext, make: Make): Promise<SpeechUnderTest & { server: FakeSpeechServer }> {
  const server = await FakeSpeechServer.start(t)
  const dispatcher = new Agent()
  t.after(() => dispatcher.destroy())
  return {
    server,
    speech: make(server, dispatcher, speechKey),
    makeLong: () => {
      server.behaviour = 'endless'
    },
    stalled: () => server.stalled(),
    idle: () => server.idle(),
    cut: () => server.cut(),
    failing: make(server, dispatcher, 'a wrong key'),
    failingStatus: 401,
  }
}

describe('ElevenLabs', () => {
  textToSpeechSuite((t) => overHttp(t, elevenLabsAt))

  test('TTS-50: the request is the one ElevenLabs documents', async (t) => {
    const { server, speech } = await overHttp(t, elevenLabsAt)
    const settings = { stability: 0.2, use_speaker_boost: false }
    const request = { text: 'Hello', voice: 'A voice/of mine', model: 'eleven_v3', settings }
    const sound = await buffer(await speech.synthesize(request, never))
    assert.deepEqual(sound, soundOfFake('Hello'))
    await buffer(await speech.synthesize({ ...request, settings: {} }, never))
    const path = '/v1/text-to-speech/A%20voice%2Fof%20mine/stream'
    assert.deepEqual(server.requests, [
      { path, body: { text: 'Hello', model_id: 'eleven_v3', voice_settings: settings } },
      { path, body: { text: 'Hello', model_id: 'eleven_v3' } },
    ])
    assert.equal(speech.model, 'eleven_flash_v2_5')
  })
})

describe('OpenAI and what speaks like it', () => {
  textToSpeechSuite((t) => overHttp(t, openAiAt))

  test('TTS-51: the request is the one OpenAI documents; of the settings it holds the speed', async (t) => {
    const { server, speech } = await overHttp(t, openAiAt)
    const request = { text: 'Hello', voice: 'alloy', model: 'kokoro', settings: { speed: 0.8, style: 1 } }
    const sound = await buffer(await speech.synthesize(request, never))
    assert.deepEqual(sound, soundOfFake('Hello'))
    const body = { input: 'Hello', voice: 'alloy', model: 'kokoro', response_format: 'mp3', speed: 0.8 }
    assert.deepEqual(server.requests, [{ path: '/v1/audio/speech', body }])
  })

  test('TTS-44: a refusal names its reason by its word, never by a sentence', async (t) => {
    const { server, speech } = await overHttp(t, openAiAt)
    const request = { text: 'Hello', voice: 'alloy', model: 'kokoro', settings: {} }
    const failure = async (behaviour: FakeSpeechServer['behaviour']) => {
      server.behaviour = behaviour
      const error = await speech.synthesize(request, never).then(
        () => assert.fail('it spoke'),
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

describe('espeak', { skip: espeakMissing }, () => {
  textToSpeechSuite(async (t) => {
    t.after(() => childrenGone(programs))
    return {
      speech: espeak({ voice: undefined }),
      makeLong() {},
      stalled: () => childrenAsleep(programs),
      idle: () => childrenGone(programs),
      cut: () => {
        for (const pid of children('espeak-ng')) process.kill(pid, 'SIGKILL')
      },
      failing: espeak({ voice: undefined, programs: { espeak: 'espeak-ng', lame: 'no-such-lame' } }),
      failingStatus: undefined,
    }
  })

  const sizeOf = async (voice: string, speed: number, usual?: string) => {
    const request = { text: 'One two three four five', voice, model: undefined, settings: { speed } }
    const sound = await espeak({ voice: usual }).synthesize(request, never)
    return buffer(sound)
  }

  test('TTS-52: voices are language tags; the voice of another provider is spoken in the usual one', async () => {
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

  test('TTS-53: the speed is heard', async () => {
    assert.ok((await sizeOf('en', 0.7)).length > (await sizeOf('en', 1.2)).length * 1.2)
  })

  test('TTS-54: a default voice that cannot be one is told to the operator', async () => {
    assert.match((await espeak({ voice: 'Rachel' }).problem()) ?? '', /^TTS_VOICE Rachel is no voice/)
  })

  test('TTS-55: where the machine can open no more files, speech fails and nothing else', async () => {
    const main = fileURLToPath(new URL('./testing/starved-main.ts', import.meta.url))
    const { stdout } = await run('sh', ['-c', `ulimit -n 64; exec "$0" "$1"`, process.execPath, main])
    assert.equal(stdout.trim(), 'SpeechProviderError begun')
  })
})
