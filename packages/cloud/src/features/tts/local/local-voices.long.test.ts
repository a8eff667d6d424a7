import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pino from 'pino'
import { skipIfMissing } from '../../../../test/support/optional-part.ts'
import {
  CHARACTER_MS,
  type TinyModelFolder,
  toSamples,
  writeTinyModel,
} from '../../../../test/support/tiny-speech-models/index.ts'
import { loadStreaming } from '../../../../test/support/tiny-speech-models/library.ts'
import { findProgram } from '../../../config/index.ts'
import { Metrics } from '../../../http/metrics.ts'
import { systemClock } from '../../../time/index.ts'
import { VirtualClock } from '../../../time/testing/virtual-clock.ts'
import { VoicePool } from '../../local-speech/index.ts'
import { ModelFolder } from '../../local-speech/testing/model-folder.ts'
import type { SpeechModel } from '../../speech-models/index.ts'
import { createFlitePool, flite } from '../flite/flite.ts'
import { SpeechCache } from '../speech-cache.ts'
import { SpeechSynthesizer } from '../speech-synthesizer.ts'
import { SpeechProviderError, UnsupportedSpeechError } from '../text-to-speech.ts'
import { textToSpeechSuite } from '../text-to-speech-suite.ts'
import { localVoices } from './local-voices.ts'

/** Bytes of each second of MP3 with 64 kbit/s. */
const BYTES_PER_SECOND = 8_000
const SENTENCE = 'Charlie speaks of a bravo.'

const ffmpegMissing = skipIfMissing(findProgram('ffmpeg') ? undefined : 'ffmpeg is not installed')
const run = promisify(execFile)
const never = new AbortController().signal
const workers = createFlitePool()

let parent = ''
let english: Installed

interface Installed {
  readonly folder: string
  readonly model: SpeechModel
}

before(async () => {
  parent = await mkdtemp(join(tmpdir(), 'local-voices-'))
  english = installed(await writeTinyModel('voice', parent))
})
after(async () => {
  await workers.close()
  await rm(parent, { recursive: true, force: true })
})

function installed({ folder, model }: TinyModelFolder, changes: Partial<SpeechModel> = {}): Installed {
  return { folder, model: { ...(model as SpeechModel), ...changes } }
}

/** The same files as a voice of another name or language. */
const likeEnglish = (changes: Partial<SpeechModel>): Installed => ({
  ...english,
  model: { ...english.model, ...changes },
})

function createVoices(
  t: TestContext,
  voices: readonly Installed[],
  { voice, ...options }: { voice?: string; clock?: VirtualClock; availableMemory?: () => number } = {},
) {
  const models = new ModelFolder()
  for (const each of voices) models.install(each)
  const logged: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })
  const pool = new VoicePool({ models, clock: systemClock, log, ...options })
  t.after(() => pool.close())
  const passages: string[] = []
  const recording: Parameters<typeof localVoices>[0]['pool'] = {
    models,
    open: (model) => pool.open(model),
    speak: (model, passage, signal) => {
      passages.push(passage.text)
      return pool.speak(model, passage, signal)
    },
  }
  const speech = localVoices({ pool: recording, flite: flite({ voice: 'slt', pool: workers }), voice })
  const request = (text: string, name: string, speed = 1) => ({
    text,
    voice: name,
    model: undefined,
    settings: { speed },
  })
  const start = async (text: string, name = speech.voice ?? 'en', signal = never) =>
    (await speech.synthesize(request(text, name), signal))[Symbol.asyncIterator]()
  const speak = async (text: string, name = speech.voice ?? 'en', speed = 1) =>
    buffer(await speech.synthesize(request(text, name, speed), never))
  /** The error of a text, which is either the client's or the provider's. */
  const failure = async (text: string, name?: string) =>
    speak(text, name).then(
      () => assert.fail('the text was spoken'),
      (error: unknown) => {
        assert.ok(error instanceof UnsupportedSpeechError || error instanceof SpeechProviderError)
        return error
      },
    )
  const loaded = () =>
    pool
      .list()
      .map(({ model }) => model)
      .sort()
  return { models, pool, passages, speech, start, speak, failure, loaded, logged }
}

/** Polls, because a process reports nothing when it is idle. */
async function until(condition: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 60_000; !condition(); await pause(5))
    if (Date.now() > deadline) throw new Error('the voices did not reach that state in time')
}

/** Reads the rest, which must end with an error. */
async function errorOf(audio: AsyncIterator<Uint8Array>): Promise<Error> {
  try {
    while (!(await audio.next()).done);
  } catch (error) {
    return error as Error
  }
  throw new Error('the audio is complete')
}

const assertSeconds = ({ length }: Buffer, expected: number) =>
  assert.ok(
    Math.abs(length / BYTES_PER_SECOND - expected) < 0.2,
    `${length / BYTES_PER_SECOND} s instead of ${expected} s`,
  )

describe('local voices', () => {
  textToSpeechSuite(async (t) => {
    const { pool, passages, speech } = createVoices(t, [english])
    const broken = installed(await writeTinyModel('voice', await mkdtemp(join(parent, 'broken-'))))
    await truncate(join(broken.folder, 'model.onnx'), 100)
    const isIdle = () => pool.list().every((state) => state.passages === 0)
    return {
      speech,
      makeLong() {},
      async stalled() {
        let idlePolls = 0
        await until(() => {
          idlePolls = passages.length > 0 && isIdle() ? idlePolls + 1 : 0
          return idlePolls === 10
        })
        assert.ok(passages.length < 3, `${passages.length} passages were spoken without a reader`)
      },
      idle: () => until(isIdle),
      cut: () => {
        for (const pid of pool.pids()) process.kill(pid, 'SIGKILL')
      },
      failing: createVoices(t, [broken]).speech,
      failingStatus: undefined,
    }
  })

  test('TTS-80: English is spoken by flite until a voice is installed', async (t) => {
    const { models, speak, loaded } = createVoices(t, [])
    const embedded = await speak('alpha', 'en')
    assert.deepEqual(await speak('alpha', 'slt'), embedded)
    assert.deepEqual(loaded(), [])
    models.install(english)
    const spoken = await speak('alpha', 'en')
    assertSeconds(spoken, (5 * CHARACTER_MS) / 1_000)
    assert.notDeepEqual(spoken, embedded)
    assert.deepEqual(await speak('alpha', 'slt'), embedded)
    models.remove(english.model.id)
    assert.deepEqual(await speak('alpha', 'en'), embedded)
  })

  test('TTS-80: a recognizer understands an installed voice', { skip: ffmpegMissing }, async (t) => {
    const { speak } = createVoices(t, [english])
    const path = join(parent, 'spoken.mp3')
    await writeFile(path, await speak('aaa bbb. Ccc, aaa      bbb.'))
    const { stdout } = await run(
      'ffmpeg',
      ['-loglevel', 'error', '-i', path, '-f', 's16le', '-ac', '1', '-ar', '16000', '-'],
      { encoding: 'buffer' },
    )
    const recognizer = loadStreaming(await writeTinyModel('streamingEnglish', parent))
    const stream = recognizer.createStream()
    const silence = Buffer.alloc(16_000)
    stream.acceptWaveform({ samples: toSamples(Buffer.concat([stdout, silence])), sampleRate: 16_000 })
    while (recognizer.isReady(stream)) recognizer.decode(stream)
    assert.equal(recognizer.getResult(stream).text, 'alpha bravo charlie alpha bravo')
  })

  test('TTS-81: a language tag selects an installed voice, and an id that voice', async (t) => {
    const german = likeEnglish({ id: 'voice-de', languages: ['de'] })
    const both = likeEnglish({ id: 'voice-both', languages: ['de', 'fr'] })
    const { speak, loaded, failure, models } = createVoices(t, [both, english, german])
    await Promise.all([speak('alpha', 'en-GB'), speak('eins', 'de_DE')])
    assert.deepEqual(loaded(), [english.model.id, 'voice-de'])
    await speak('eins', 'voice-both:0')
    assert.deepEqual(loaded(), [english.model.id, 'voice-both', 'voice-de'])
    models.remove('voice-both')
    assert.match((await failure('un', 'fr')).message, /^No voice for French \(fr\) is installed/)
  })

  test('TTS-82: the voice of another provider is replaced by TTS_VOICE, which may be a speaker', async (t) => {
    const german = likeEnglish({ id: 'voice-de', languages: ['de'] })
    const other = likeEnglish({ id: 'a-voice-de', languages: ['de'] })
    const { speak, loaded, speech } = createVoices(t, [english, other, german], { voice: 'voice-de:0' })
    for (const name of [speech.voice, 'Rachel', 'Sam', '21m00Tcm4TlvDq8ikWAM', 'de'])
      await speak('eins', name)
    assert.deepEqual(loaded(), ['voice-de'])
    const { speak: speakFlite, loaded: none } = createVoices(t, [english], { voice: 'rms' })
    assert.deepEqual(await speakFlite('alpha', 'Rachel'), await speakFlite('alpha', 'RMS'))
    assert.deepEqual(none(), [])
  })

  test('TTS-83: what no voice speaks is rejected with a message that says what to do', async (t) => {
    const { failure } = createVoices(t, [])
    const solution = (id: string) =>
      `install it in the console under Administration or with "models add ${id}", or set TTS_PROVIDER to espeak, elevenlabs or openai`
    const cases = [
      ['de-AT', `No voice for German (de-AT) is installed: ${solution('piper-de-thorsten')}`],
      ['cmn', `No voice for Chinese (cmn) is installed: ${solution('ID')}`],
      [
        'piper-de-thorsten:2',
        `The voice piper-de-thorsten:2 is not installed: ${solution('piper-de-thorsten')}`,
      ],
    ] as const
    for (const [voice, message] of cases) {
      const error = await failure('Hello', voice)
      assert.ok(error instanceof UnsupportedSpeechError)
      assert.equal(error.message, message)
    }
    const foreign = await failure('Привет')
    assert.ok(foreign instanceof UnsupportedSpeechError)
    assert.match(foreign.message, /^The text contains letters .*voice_id.*"models add ID".*TTS_PROVIDER/)
    assert.doesNotMatch(foreign.message, /Привет/)
    const { failure: failureOfSpeaker } = createVoices(t, [english])
    const speaker = await failureOfSpeaker('Hello', `${english.model.id}:1`)
    assert.ok(speaker instanceof UnsupportedSpeechError)
    assert.equal(speaker.message, 'The voice tiny-voice-en has one speaker, 0')
  })

  test('TTS-84: the first sentence is heard before the second is spoken, and texts take turns', async (t) => {
    const { start, passages, speak } = createVoices(t, [english])
    const audio = await start(`${SENTENCE} `.repeat(100))
    const { value: first } = await audio.next()
    assertSeconds(first, (SENTENCE.length * CHARACTER_MS) / 1_000)
    assert.deepEqual(passages, [SENTENCE])
    const rest = errorOf(audio).catch(() => 'complete')
    await speak('Bravo')
    assert.ok(passages.includes('Bravo'))
    assert.ok(passages.length < 10, `${passages.length} passages came first`)
    assert.ok(passages.every(({ length }) => length <= 150))
    assert.equal(await rest, 'complete')
    assert.equal(passages.join(' ').split(SENTENCE).length - 1, 100)
  })

  test('TTS-85: a killed process fails its texts, and the next text has a new one', async (t) => {
    const clock = new VirtualClock()
    const { start, speak, failure, pool, logged } = createVoices(t, [english], { clock })
    // The library writes a text that it cannot speak.
    await speak('眼鏡')
    const audio = await start(`${SENTENCE} `.repeat(100))
    await audio.next()
    for (const pid of pool.pids()) process.kill(pid, 'SIGSEGV')
    const error = await errorOf(audio)
    assert.ok(error instanceof SpeechProviderError)
    assert.equal(error.message, 'local failed: tiny-voice-en: its process ended with SIGSEGV')
    assert.match((await failure('alpha')).message, /SIGSEGV/, 'it is not started at once')
    clock.advance(500)
    assertSeconds(await speak('alpha'), (5 * CHARACTER_MS) / 1_000)
    assert.equal(logged.length, 1)
    assert.doesNotMatch(logged.join(), /bravo|眼鏡/i)
  })

  test('TTS-85: a truncated model is reported, and tried again after growing delays', async (t) => {
    const broken = installed(await writeTinyModel('voice', await mkdtemp(join(parent, 'truncated-'))))
    await truncate(join(broken.folder, 'model.onnx'), 100)
    const clock = new VirtualClock()
    const { failure, loaded } = createVoices(t, [broken], { clock })
    for (const delayMs of [500, 1_000, 2_000]) {
      const error = await failure('alpha')
      assert.ok(error instanceof SpeechProviderError)
      assert.equal(error.message, 'local failed: tiny-voice-en: its process ended with SIGABRT')
      assert.deepEqual(loaded(), [])
      clock.advance(delayMs)
    }
  })

  test('TTS-85: a passage that takes longer than 30 s fails, and so do those that wait', async (t) => {
    const clock = new VirtualClock()
    const { speak, failure, pool } = createVoices(t, [english], { clock })
    await speak('alpha')
    for (const pid of pool.pids()) process.kill(pid, 'SIGSTOP')
    const failures = [failure('bravo'), failure('charlie')]
    await until(() => pool.list()[0]?.passages === 2)
    clock.advance(29_999)
    assert.equal(pool.list()[0]?.passages, 2)
    clock.advance(1)
    for (const error of await Promise.all(failures))
      assert.equal(error.message, 'local failed: tiny-voice-en: it does not speak in time')
    clock.advance(500)
    await speak('alpha')
  })

  test('TTS-86: a voice that is removed or replaced while it speaks fails its texts', async (t) => {
    const german = likeEnglish({ id: 'voice-de', languages: ['de'] })
    const { models, start, failure, loaded, speak } = createVoices(t, [german])
    const removed = await start(`${SENTENCE} `.repeat(100), 'de')
    await removed.next()
    models.remove('voice-de')
    assert.match((await errorOf(removed)).message, /^local failed: voice-de/)
    assert.deepEqual(loaded(), [])
    assert.match((await failure('eins', 'de')).message, /^No voice for German/)
    models.install(german)
    const replaced = await start(`${SENTENCE} `.repeat(100), 'de')
    await replaced.next()
    const [file, ...files] = german.model.files
    models.install({
      ...german,
      model: { ...german.model, files: [...files, file].filter((each) => each !== undefined) },
    })
    assert.match((await errorOf(replaced)).message, /^local failed: voice-de/)
    await speak('eins', 'de')
  })

  test('TTS-87: a voice needs its memory, and ends after ten minutes without a text', async (t) => {
    const { failure } = createVoices(t, [english], { availableMemory: () => 10_000_000 })
    assert.match((await failure('alpha')).message, /needs \d+ MB of memory, and 10 MB are free$/)
    const clock = new VirtualClock()
    const { speak, loaded } = createVoices(t, [english], { clock })
    await speak('alpha')
    clock.advance(599_000)
    await speak('alpha')
    clock.advance(599_000)
    assert.equal(loaded().length, 1, 'it was used in between')
    clock.advance(1_000)
    assert.deepEqual(loaded(), [])
  })

  test('TTS-88: the environment of a voice process contains nothing of the cloud', async (t) => {
    const { speak, pool } = createVoices(t, [english])
    await speak('alpha')
    const [pid] = pool.pids()
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8')
    assert.deepEqual(
      environment.split('\0').flatMap((line) => line.split('=')[0] || []),
      ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE'],
    )
  })

  test('TTS-89: speech is cached for the voice that a name stood for', async (t) => {
    const { models, speech } = createVoices(t, [])
    const folder = await mkdtemp(join(parent, 'cache-'))
    const sources: string[] = []
    const synthesizer = new SpeechSynthesizer({
      provider: speech,
      cache: await SpeechCache.open(folder, 1_000_000, pino({ level: 'silent' })),
      clock: systemClock,
      count: (source) => sources.push(source),
    })
    t.after(() => synthesizer.close())
    const speak = async (voice: string) => {
      const request = { text: 'alpha', voice, model: undefined, settings: {} }
      const audio = await buffer((await synthesizer.synthesize(request, 'caller', never)).stream)
      await synthesizer.idle()
      return audio
    }
    const embedded = await speak('en')
    assert.deepEqual(await speak('Rachel'), embedded)
    models.install(english)
    const spoken = await speak('en')
    assert.notDeepEqual(spoken, embedded)
    assert.deepEqual(await speak(english.model.id), spoken)
    const files = english.model.files.map((file) => ({ ...file, sha256: 'f'.repeat(64) }))
    models.install(likeEnglish({ files }))
    await speak('en')
    models.remove(english.model.id)
    assert.deepEqual(await speak('en'), embedded)
    assert.deepEqual(sources, ['provider', 'cache', 'provider', 'cache', 'provider', 'cache'])
    await assert.rejects(speak('de'), UnsupportedSpeechError)
  })

  test('TTS-90: emoji are skipped, a text without words is silent, and the speed is applied', async (t) => {
    const { speak } = createVoices(t, [english])
    const usual = await speak('alpha alpha alpha alpha')
    assert.deepEqual(await speak('alpha 👩🏽‍💻👓 alpha\n\u0007 alpha\ud83d alpha'), usual)
    for (const text of ['👓', '…', '眼鏡']) {
      const silence = await speak(text)
      assert.ok(silence.length > 0 && silence.length < BYTES_PER_SECOND / 2, `${text}: ${silence.length}`)
    }
    const [slow, fast] = [
      await speak('alpha alpha alpha', 'en', 0.7),
      await speak('alpha alpha alpha', 'en', 1.2),
    ]
    assert.ok(slow.length > fast.length * 1.5, `${slow.length} and ${fast.length} bytes`)
  })

  test('TTS-93: the metrics list the voices that are loaded', async (t) => {
    const { speak, pool } = createVoices(t, [english])
    const metrics = new Metrics()
    pool.addMetrics(metrics)
    assert.doesNotMatch(await metrics.text(), /local_voice_passages\{/)
    await speak('alpha')
    assert.match(await metrics.text(), /^local_voice_passages\{model="tiny-voice-en"\} 0$/m)
  })
})
