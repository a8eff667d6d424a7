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
import { childProcessIds, childrenBlocked, childrenExited } from './testing/children.ts'
import { espeakMissing } from './testing/espeak-missing.ts'
import { FakeSpeechServer, fakeAudio, speechKey } from './testing/fake-speech-server.ts'
import { SpeechProviderError, type TextToSpeech } from './text-to-speech.ts'
import { type SpeechUnderTest, textToSpeechSuite } from './text-to-speech-suite.ts'

const programs = ['espeak-ng', 'lame']
const run = promisify(execFile)
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

  test('TTS-52: voices are language tags; the default voice replaces voices of other providers', async () => {
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

  test('TTS-53: the speed changes the duration', async () => {
    assert.ok((await sizeOf('en', 0.7)).length > (await sizeOf('en', 1.2)).length * 1.2)
  })

  test('TTS-54: an invalid default voice is reported to the operator', async () => {
    assert.match((await espeak({ voice: 'Rachel' }).problem()) ?? '', /^TTS_VOICE Rachel is no voice/)
  })

  test('TTS-55: if no more files can be opened, only the speech fails', async () => {
    const main = fileURLToPath(new URL('./testing/starved-main.ts', import.meta.url))
    const { stdout } = await run('sh', ['-c', `ulimit -n 64; exec "$0" "$1"`, process.execPath, main])
    assert.equal(stdout.trim(), 'SpeechProviderError begun')
  })
})
