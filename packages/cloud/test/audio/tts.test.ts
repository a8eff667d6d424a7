import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { espeakMissing } from '../../src/features/tts/testing/espeak-missing.ts'
import {
  FakeSpeechServer,
  FIRST_CHUNK_BYTES,
  fakeAudio,
  speechKey,
} from '../../src/features/tts/testing/fake-speech-server.ts'
import { cli } from '../support/cli.ts'
import { runModels, temporaryModel } from '../support/install-model.ts'
import { spawnCloud, startCloud, type TestCloud } from '../support/test-cloud.ts'
import { CHARACTER_MS } from '../support/tiny-speech-models/index.ts'

/** Starts a cloud that uses a fake ElevenLabs server. */
async function createTtsRig(t: TestContext, env: Record<string, string> = {}) {
  const server = await FakeSpeechServer.start(t)
  const cloud = await startCloud(t, {
    env: {
      TTS_PROVIDER: 'elevenlabs',
      TTS_API_KEY: speechKey,
      TTS_BASE_URL: `${server.url}/`,
      TTS_VOICE: 'Rachel',
      LOG_LEVEL: 'trace',
      ...env,
    },
  })
  return { server, cloud, speak: ttsClient(cloud) }
}

function ttsClient({ url }: Pick<TestCloud, 'url'>) {
  return (query: Record<string, string>, init: RequestInit = {}) =>
    fetch(`${url}/api/tts?${new URLSearchParams(query)}`, init)
}

/** Installs the tiny voice as one that speaks German. */
async function installGermanVoice(t: TestContext, cloud: TestCloud): Promise<void> {
  const { folder, model } = await temporaryModel(t, 'voice')
  const german = { ...model, id: 'tiny-voice-de', languages: ['de'] }
  await writeFile(join(folder, 'model.json'), JSON.stringify(german))
  await runModels(cloud, 'add', folder)
}

async function audioOf(response: Response): Promise<Buffer> {
  assert.equal(response.status, 200)
  return Buffer.from(await response.arrayBuffer())
}

/** Duration in seconds of MP3 as flite's worker encodes it, with 48 kbit/s. */
const durationOf = ({ length }: Buffer) => length / 6_000

async function errorOf(response: Response) {
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  return { status: response.status, body: await response.json() }
}

const failure = (status: number, message: string, extraFields: object = {}) => ({
  status,
  body: { success: false, message, ...extraFields },
})

describe('text-to-speech', () => {
  test('TTS-38: an address has a tenth of the daily characters, without cached and rejected texts', async (t) => {
    const { server, cloud, speak } = await createTtsRig(t, { TTS_DAILY_CHARACTERS: '100' })
    await audioOf(await speak({ text: 'a'.repeat(6) }))
    await audioOf(await speak({ text: 'a'.repeat(6) }))
    server.behavior = 503
    assert.equal((await speak({ text: 'b'.repeat(4) })).status, 500)
    server.behavior = 'speak'
    await audioOf(await speak({ text: '\u{1F600}'.repeat(4) }))
    const requests = server.requests.length
    const response = await speak({ text: 'c' })
    const retryAfter = Number(response.headers.get('retry-after'))
    assert.ok(retryAfter > 0 && retryAfter <= 86_400, String(retryAfter))
    const message = 'The text-to-speech characters of your address for today are used up'
    assert.deepEqual(await errorOf(response), failure(429, message))
    assert.equal(server.requests.length, requests, 'the provider was not asked')
    await audioOf(await speak({ text: 'a'.repeat(6) }))
    const usage = await cloud.cloud.db.selectFrom('speech_usage').selectAll().execute()
    assert.deepEqual(
      usage.map(({ characters }) => characters),
      [10, 10],
    )
    assert.doesNotMatch(JSON.stringify(usage), /127\.0/)
  })

  test('TTS-1: a text returns MP3 audio, with or without a valid token', async (t) => {
    const { speak } = await createTtsRig(t)
    const response = await speak(
      { text: 'Good morning, Ann-Marie & all' },
      { headers: { authorization: 'Bearer x' } },
    )
    assert.equal(response.headers.get('content-type'), 'audio/mpeg')
    assert.equal(response.headers.get('connection'), 'keep-alive')
    assert.deepEqual(await audioOf(response), fakeAudio('Good morning, Ann-Marie & all'))
  })

  test('TTS-2 TTS-6: voice, model and known settings are sent to the provider; the configured ones are the defaults', async (t) => {
    const { server, speak } = await createTtsRig(t, { TTS_MODEL: 'eleven_v3' })
    await audioOf(await speak({ text: ' Hello ' }))
    const settings = { stability: 0.5, similarity_boost: 0, style: 1, use_speaker_boost: true, speed: 1.1 }
    const voice_settings = JSON.stringify({ ...settings, loudness: 1, constructor: { name: 'x' } })
    await audioOf(
      await speak({ text: 'Hello', voice_id: 'Antoni', model_id: 'eleven_turbo_v2', voice_settings }),
    )
    const unknownOnly = { text: 'Hello', voice_settings: '{"loudness":1}' }
    // The same speech as the first, and so from the cache.
    assert.deepEqual(await audioOf(await speak(unknownOnly)), fakeAudio('Hello'))
    assert.deepEqual(server.requests, [
      { path: '/v1/text-to-speech/Rachel/stream', body: { text: 'Hello', model_id: 'eleven_v3' } },
      {
        path: '/v1/text-to-speech/Antoni/stream',
        body: { text: 'Hello', model_id: 'eleven_turbo_v2', voice_settings: settings },
      },
    ])
  })

  test('TTS-95: what a person would read aloud of a text with markup is spoken', async (t) => {
    const server = await FakeSpeechServer.start(t)
    const env = {
      TTS_PROVIDER: 'elevenlabs',
      TTS_API_KEY: speechKey,
      TTS_BASE_URL: server.url,
      TTS_VOICE: 'Rachel',
    }
    const speak = ttsClient(await spawnCloud(t, { env }))
    const spoken = async (text: string) => {
      await audioOf(await speak({ text }))
      return server.requests.at(-1)?.body.text
    }
    assert.equal(await spoken('# Hello, see **the** [link](https://example.com/a)'), 'Hello, see the link')
    assert.equal(await spoken(' 2 * 3 * 4 is C#, <3 '), '2 * 3 * 4 is C#, <3')
    assert.equal(await spoken('👍'), '👍', 'a text without words is left to the provider')
  })

  test('TTS-51: the base URL of a server may end with /v1, and a text have 5,000 characters', async (t) => {
    const server = await FakeSpeechServer.start(t, { open: true })
    for (const end of ['', '/v1', '/v1/']) {
      server.requests.length = 0
      const env = { TTS_PROVIDER: 'openai', TTS_BASE_URL: `${server.url}${end}` }
      const { speak } = await createTtsRig(t, { ...env, TTS_API_KEY: '' })
      const audio = await audioOf(await speak({ text: 'One sentence more. '.repeat(263) }))
      assert.deepEqual(new Set(server.requests.map(({ path }) => path)), new Set(['/v1/audio/speech']))
      assert.equal(audio.length, 3 * fakeAudio('').length)
    }
  })

  test('TTS-3: audio is forwarded as it arrives', async (t) => {
    const { server, speak } = await createTtsRig(t)
    server.behavior = 'hold'
    const { body } = await speak({ text: 'Hello' })
    const reader = body?.getReader()
    assert.equal((await reader?.read())?.value?.byteLength, FIRST_CHUNK_BYTES)
    server.release()
    let rest = 0
    for (let part = await reader?.read(); part?.value; part = await reader?.read())
      rest += part.value.byteLength
    assert.equal(rest, fakeAudio('Hello').length - FIRST_CHUNK_BYTES)
  })

  for (const TTS_CACHE_MB of ['256', '0'])
    test(`TTS-96: ranges as iPhones ask for them, with a cache of ${TTS_CACHE_MB} MB`, async (t) => {
      const { server, speak } = await createTtsRig(t, { TTS_CACHE_MB })
      const whole = fakeAudio('Hello')
      const part = async (range: string, init: RequestInit = {}) => {
        const response = await speak({ text: 'Hello' }, { headers: { range }, ...init })
        const { status, headers } = response
        return {
          status,
          range: headers.get('content-range'),
          bytes: Buffer.from(await response.arrayBuffer()),
        }
      }
      const [first, both] = await Promise.all([part('bytes=0-1'), part('bytes=-3')])
      assert.deepEqual(first, {
        status: 206,
        range: `bytes 0-1/${whole.length}`,
        bytes: whole.subarray(0, 2),
      })
      assert.deepEqual(both.bytes, whole.subarray(-3))
      const rest = await part(`bytes=${FIRST_CHUNK_BYTES - 1}-${FIRST_CHUNK_BYTES + 1}`)
      assert.deepEqual(rest.bytes, whole.subarray(FIRST_CHUNK_BYTES - 1, FIRST_CHUNK_BYTES + 2))
      const all = await part('bytes=0-')
      assert.deepEqual(all.bytes, whole)
      assert.deepEqual(
        [await part(`bytes=${whole.length}-`)].map(({ status, range }) => [status, range]),
        [[416, `bytes */${whole.length}`]],
      )
      const head = await speak({ text: 'Hello' }, { method: 'HEAD' })
      assert.deepEqual(
        ['accept-ranges', 'content-length', 'content-type'].map((name) => head.headers.get(name)),
        ['bytes', String(whole.length), 'audio/mpeg'],
      )
      assert.equal(server.requests.length, 1, 'nothing is generated again')
    })

  test('TTS-96: a range of speech that fails, or that nobody waits for', async (t) => {
    const { server, speak } = await createTtsRig(t)
    server.behavior = 503
    assert.equal((await speak({ text: 'Hello' }, { headers: { range: 'bytes=0-1' } })).status, 500)
    server.behavior = 'hold'
    const controller = new AbortController()
    const { signal } = controller
    const received = server.requestReceived()
    const canceled = speak({ text: 'Hello' }, { headers: { range: 'bytes=0-1' }, signal })
    await received
    controller.abort()
    await assert.rejects(canceled)
    await server.idle()
    server.behavior = 'speak'
    assert.equal((await speak({ text: 'Hello' }, { headers: { range: 'bytes=0-1' } })).status, 206)
  })

  test('TTS-96: the first bytes of speech that the cloud itself generates', async (t) => {
    const cloud = await spawnCloud(t)
    const response = await fetch(`${cloud.url}/api/tts?text=Hello`, { headers: { range: 'bytes=0-1' } })
    assert.equal(response.status, 206)
    assert.match(String(response.headers.get('content-range')), /^bytes 0-1\/\d{4,}$/)
    assert.equal((await response.arrayBuffer()).byteLength, 2)
  })

  test('TTS-4: a missing or repeated text returns 400', async (t) => {
    const { cloud, server } = await createTtsRig(t)
    const expected = failure(400, 'Text parameter is required and must be a string')
    for (const query of ['', '?text=', '?text=%20%0A', '?text=a&text=b', '?voice_id=Rachel', '?txt=Hello'])
      assert.deepEqual(await errorOf(await fetch(`${cloud.url}/api/tts${query}`)), expected, query)
    assert.deepEqual(server.requests, [])
  })

  test('TTS-5: a text has at most 5,000 characters in any script', async (t) => {
    const { server, speak } = await createTtsRig(t)
    for (const letter of ['a', '語', '👓']) {
      await audioOf(await speak({ text: letter.repeat(5_000) }))
      const expected = failure(400, 'text must have at most 5,000 characters')
      assert.deepEqual(await errorOf(await speak({ text: letter.repeat(5_001) })), expected)
    }
    assert.equal(server.requests.length, 3)
  })

  test('TTS-6: invalid voice settings, voice ids and model ids return 400 with a reason', async (t) => {
    const { server, speak } = await createTtsRig(t)
    const cases: [string, string][] = [
      ['{', 'Invalid voice_settings JSON format'],
      ['', 'Invalid voice_settings JSON format'],
      ['[]', 'Invalid voice_settings JSON format'],
      ['"loud"', 'Invalid voice_settings JSON format'],
      ['null', 'Invalid voice_settings JSON format'],
      ['{"stability":"0.5"}', 'voice_settings.stability must be a number'],
      ['{"stability":1.1}', 'voice_settings.stability must be 1 or less'],
      ['{"similarity_boost":-0.1}', 'voice_settings.similarity_boost must be 0 or more'],
      ['{"style":2}', 'voice_settings.style must be 1 or less'],
      ['{"style":1e999}', 'voice_settings.style must be a number'],
      ['{"use_speaker_boost":"yes"}', 'voice_settings.use_speaker_boost must be a boolean'],
      ['{"speed":0.5}', 'voice_settings.speed must be 0.7 or more'],
      ['{"loudness":1,"style":"high"}', 'voice_settings.style must be a number'],
    ]
    for (const [voice_settings, message] of cases)
      assert.deepEqual(await errorOf(await speak({ text: 'Hello', voice_settings })), failure(400, message))
    for (const name of ['', '../../admin', '..', 'a/b', '-v', 'a\nb', 'x'.repeat(101)])
      assert.equal((await errorOf(await speak({ text: 'Hello', voice_id: name }))).status, 400, name)
    for (const name of ['', '../x', 'a b'])
      assert.equal((await errorOf(await speak({ text: 'Hello', model_id: name }))).status, 400, name)
    assert.deepEqual(server.requests, [])
  })

  test('TTS-7: no provider, and no key', async (t) => {
    const expected = failure(500, 'TTS the service not configured')
    const bare = await startCloud(t, { env: { TTS_PROVIDER: 'none' } })
    assert.deepEqual(await errorOf(await ttsClient(bare)({ text: 'Hello' })), expected)
    assert.equal((await ttsClient(bare)({})).status, 400)
    const { cloud, speak } = await createTtsRig(t, { TTS_API_KEY: '' })
    assert.deepEqual(await errorOf(await speak({ text: 'Hello' })), expected)
    const warning = 'text-to-speech is off: TTS_API_KEY is not set, which TTS_PROVIDER=elevenlabs needs'
    assert.ok(cloud.logged.some(({ msg }) => msg === warning))
  })

  test('TTS-8: without a default voice a request requires voice_id', async (t) => {
    const { speak } = await createTtsRig(t, { TTS_VOICE: '' })
    const message = 'voice_id is required: no default voice is configured'
    assert.deepEqual(await errorOf(await speak({ text: 'Hello' })), failure(400, message))
    await audioOf(await speak({ text: 'Hello', voice_id: 'Rachel' }))
  })

  test('TTS-9: a provider that rejects, sends no audio or cannot be reached', async (t) => {
    const { server, cloud, speak } = await createTtsRig(t)
    const failed = (status: number | null) =>
      failure(500, 'Internal server error', { error: { hop: 'tts-provider', status } })
    for (const [behaviour, status] of [
      [429, 429],
      [500, 500],
      ['empty', null],
      ['page', 200],
    ] as const) {
      server.behavior = behaviour
      assert.deepEqual(await errorOf(await speak({ text: 'a personal matter' })), failed(status))
    }
    const elsewhere = await createTtsRig(t, { TTS_BASE_URL: 'http://127.0.0.1:9' })
    assert.deepEqual(await errorOf(await elsewhere.speak({ text: 'a personal matter' })), failed(null))
    const log = JSON.stringify([...cloud.logged, ...elsewhere.cloud.logged])
    assert.match(log, /The speech provider answered 429 \(quota_exceeded\)/)
    assert.match(log, /The speech provider cannot be reached/)
    assert.doesNotMatch(log, /personal/)
    assert.doesNotMatch(log, new RegExp(speechKey))
  })

  test('TTS-10: a provider that aborts half-way aborts the response', async (t) => {
    const { server, speak } = await createTtsRig(t)
    server.behavior = 'break'
    await assert.rejects(audioOf(await speak({ text: 'Hello' })), /terminated/)
    server.behavior = 'speak'
    assert.deepEqual(await audioOf(await speak({ text: 'Hello' })), fakeAudio('Hello'))
  })

  test('TTS-11: a client that leaves before and after the first byte', async (t) => {
    const { server, speak } = await createTtsRig(t)
    for (const behaviour of ['silent', 'endless'] as const) {
      server.behavior = behaviour
      const abort = new AbortController()
      const requested = server.requestReceived()
      const spoken = speak({ text: 'Hello' }, { signal: abort.signal })
      await requested
      if (behaviour === 'endless') await (await spoken).body?.getReader().read()
      abort.abort()
      await Promise.allSettled([spoken])
      await server.idle()
    }
  })

  test('TTS-12: a client that does not read applies backpressure to the provider', async (t) => {
    const { server, cloud } = await createTtsRig(t)
    server.behavior = 'endless'
    const stalled = server.stalled()
    const { port, hostname } = new URL(cloud.url)
    const client = connect(Number(port), hostname)
    t.after(() => client.destroy())
    client.pause()
    client.write('GET /api/tts?text=Hello HTTP/1.1\r\nHost: x\r\n\r\n')
    await stalled
    client.destroy()
    await server.idle()
  })

  test('TTS-13: the same text twice, and after a restart', async (t) => {
    const { server, cloud, speak } = await createTtsRig(t)
    const [one, two] = await Promise.all([speak({ text: 'Hello' }), speak({ text: 'Hello' })])
    await Promise.all([audioOf(one), audioOf(two)])
    await cloud.stop()
    const restarted = await startCloud(t, { env: { ...cloud.env, LOG_LEVEL: 'silent' } })
    server.behavior = 500
    const response = await ttsClient(restarted)({ text: 'Hello' })
    assert.equal(response.headers.get('content-length'), String(fakeAudio('Hello').length))
    assert.deepEqual(await audioOf(response), fakeAudio('Hello'))
    assert.equal(server.requests.length, 1)
    assert.match(
      await (await fetch(`${restarted.url}/metrics`)).text(),
      /^speech_total\{source="cache"\} 1$/m,
    )
  })

  test('TTS-14: TTS_CACHE_MB=0 disables the cache', async (t) => {
    const { server, speak } = await createTtsRig(t, { TTS_CACHE_MB: '0' })
    for (let times = 1; times <= 2; times += 1) {
      await audioOf(await speak({ text: 'Hello' }))
      assert.equal(server.requests.length, times)
    }
  })

  test('TTS-27 TTS-29: too many concurrent texts, in total or per address, return 429 with Retry-After', async (t) => {
    const { server, speak } = await createTtsRig(t, { TRUST_PROXY: 'true' })
    server.behavior = 'hold'
    const speakFrom = (n: number, text: string) =>
      speak({ text }, { headers: { 'x-forwarded-for': `203.0.113.${n}` } })
    const eight = (n: number) => Array.from({ length: 8 }, (_, i) => speakFrom(n, `Text ${i} of ${n}`))
    const assertBusy = async (n: number) => {
      const response = await speakFrom(n, 'One more')
      assert.equal(response.headers.get('retry-after'), '1')
      assert.deepEqual(await errorOf(response), failure(429, 'Too many requests'))
    }
    const firstEight = await Promise.all(eight(1))
    await assertBusy(1)
    const secondEight = await Promise.all(eight(2))
    await assertBusy(3)
    server.release()
    await Promise.all([...firstEight, ...secondEight].map(audioOf))
    server.behavior = 'speak'
    await audioOf(await speakFrom(1, 'One more'))
  })

  test('TTS-15: an OpenAI-compatible server at TTS_BASE_URL needs no key', async (t) => {
    const server = await FakeSpeechServer.start(t, { open: true })
    const cloud = await startCloud(t, { env: { TTS_PROVIDER: 'openai', TTS_BASE_URL: server.url } })
    assert.deepEqual(await audioOf(await ttsClient(cloud)({ text: 'Hello' })), fakeAudio('Hello'))
    assert.deepEqual(server.requests, [
      {
        path: '/v1/audio/speech',
        body: { input: 'Hello', voice: 'alloy', model: 'tts-1', response_format: 'mp3' },
      },
    ])
  })

  test('TTS-80 TTS-81 TTS-83: an installed voice speaks its language in a cloud without settings', async (t) => {
    const cloud = await startCloud(t, { env: { LOG_LEVEL: 'trace', TTS_LIMIT_PER_MINUTE: '10000' } })
    const speak = ttsClient(cloud)
    const text = 'Guten Morgen alle zusammen'
    const embedded = await audioOf(await speak({ text }))
    assert.deepEqual(await audioOf(await speak({ text, voice_id: 'Rachel' })), embedded)
    const message =
      'No voice for German (de) is installed: install it in the console under Administration or with "models add piper-de-thorsten", or set TTS_PROVIDER to espeak, elevenlabs or openai'
    assert.deepEqual(await errorOf(await speak({ text, voice_id: 'de' })), failure(400, message))
    await installGermanVoice(t, cloud)
    let response: Response
    do response = await speak({ text, voice_id: 'de-DE' })
    while (response.status === 400)
    const german = await audioOf(response)
    // The tiny voice is encoded with 64 kbit/s.
    assert.ok(
      Math.abs(german.length / 8_000 - (text.length * CHARACTER_MS) / 1_000) < 0.2,
      `${german.length}`,
    )
    assert.deepEqual(await audioOf(await speak({ text, voice_id: 'tiny-voice-de' })), german)
    assert.deepEqual(await audioOf(await speak({ text })), embedded)
    const metrics = await (await fetch(`${cloud.url}/metrics`)).text()
    assert.match(metrics, /^local_voice_passages\{model="tiny-voice-de"\} 0$/m)
    assert.doesNotMatch(JSON.stringify(cloud.logged), /Morgen/)
    const doctor = await cli({ ...cloud.env, TTS_VOICE: 'tiny-voice-de' }, 'doctor')
    assert.match(doctor.out, /local responds; installed voices: tiny-voice-de \(de\)/)
  })

  test('TTS-70 TTS-71: a text is spoken in English by voices of this process', async (t) => {
    const cloud = await startCloud(t, { env: { TTS_PROVIDER: 'flite', LOG_LEVEL: 'trace' } })
    const speak = ttsClient(cloud)
    const text = 'The meeting starts at seven in the evening. Please bring your notes.'
    const response = await speak({ text })
    assert.equal(response.headers.get('content-type'), 'audio/mpeg')
    const spoken = await audioOf(response)
    assert.ok(Math.abs(durationOf(spoken) - 4.5) < 0.5, `${durationOf(spoken)} s`)
    const other = await audioOf(await speak({ text, voice_id: 'rms', model_id: 'eleven_flash_v2_5' }))
    assert.notDeepEqual(other, spoken)
    assert.deepEqual(await audioOf(await speak({ text, voice_id: 'en-US' })), spoken)
    assert.doesNotMatch(JSON.stringify(cloud.logged), /meeting/)
  })

  test('TTS-72 TTS-73: what flite cannot speak returns 400 with a message that says what can', async (t) => {
    const cloud = await startCloud(t, { env: { TTS_PROVIDER: 'flite' } })
    const speak = ttsClient(cloud)
    const others = 'it speaks English only; other languages need TTS_PROVIDER=espeak, elevenlabs or openai'
    const cases = [
      [{ text: 'Hello', voice_id: 'de' }, `flite has no voice for German (de): ${others}`],
      [{ text: 'Привет' }, `The text contains letters that flite cannot pronounce: ${others}`],
    ] as const
    for (const [query, message] of cases)
      assert.deepEqual(await errorOf(await speak(query)), failure(400, message))
    for (const text of ['👓', '...']) {
      const silence = durationOf(await audioOf(await speak({ text })))
      assert.ok(silence > 0 && silence < 0.5, `${silence} s`)
    }
  })

  test('TTS-74 TTS-92: an unknown TTS_VOICE', async (t) => {
    for (const provider of ['flite', 'local']) {
      const env = { TTS_PROVIDER: provider, TTS_VOICE: 'Rachel', LOG_LEVEL: 'warn' }
      const cloud = await startCloud(t, { env })
      const expected = failure(500, 'TTS the service not configured')
      assert.deepEqual(await errorOf(await ttsClient(cloud)({ text: 'Hello' })), expected)
      const warning = 'text-to-speech is off: TTS_VOICE is invalid: Rachel is not a voice of flite'
      assert.ok(cloud.logged.some(({ msg }) => String(msg).startsWith(warning)))
    }
  })

  test('TTS-16: espeak synthesizes speech locally', { skip: espeakMissing }, async (t) => {
    const cloud = await startCloud(t, { env: { TTS_PROVIDER: 'espeak' } })
    const sound = await audioOf(await ttsClient(cloud)({ text: 'Good morning', voice_id: 'en-gb' }))
    assert.ok(sound.length > 1_000)
    assert.equal(sound[0], 0xff)
  })
})
