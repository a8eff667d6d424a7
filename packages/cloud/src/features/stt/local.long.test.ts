import assert from 'node:assert/strict'
import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import pino from 'pino'
import {
  ENGLISH,
  ENGLISH_PAIR,
  GERMAN,
  JAPANESE_PAIR,
  OVERTONES,
  type TinyModelFolder,
  toneSpeech,
  writeTinyModel,
} from '../../../test/support/tiny-speech-models/index.ts'
import type { SpeechOptions } from '../../session/index.ts'
import { systemClock } from '../../time/index.ts'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { RecognizerPool } from '../local-speech/index.ts'
import { ModelFolder } from '../local-speech/testing/model-folder.ts'
import type { SpeechModel } from '../speech-models/index.ts'
import { localRecognizer } from './local.ts'
import { RecordedStream, speechToTextSuite } from './speech-to-text-suite.ts'
import type { Fault } from './testing/fake-provider.ts'

const PAUSE_MS = 400
/** Time from the beginning of a word to its first token. */
const TOLERANCE_MS = 100

let parent = ''
let english: TinyModelFolder
let german: TinyModelFolder
let offline: TinyModelFolder

before(async () => {
  parent = await mkdtemp(join(tmpdir(), 'local-recognizer-'))
  english = await writeTinyModel('streamingEnglish', parent)
  german = await writeTinyModel('streamingGerman', parent)
  offline = await writeTinyModel('offlineEnglish', parent)
})
after(() => rm(parent, { recursive: true, force: true }))

const entry = ({ folder, model }: TinyModelFolder) => ({ folder, model: model as SpeechModel })

function createRecognizer(t: TestContext, models: readonly TinyModelFolder[], options = {}) {
  const installed = new ModelFolder()
  for (const model of models) installed.install(entry(model))
  const log = pino({ level: 'silent' })
  const pool = new RecognizerPool({ models: installed, clock: systemClock, log, maxProcesses: 1, ...options })
  t.after(() => pool.close())
  return { installed, pool, provider: localRecognizer(pool) }
}

async function openStream(
  t: TestContext,
  provider: ReturnType<typeof localRecognizer>,
  language = 'en-US',
  options: Partial<SpeechOptions> = {},
) {
  const recorded = new RecordedStream(provider, { language, ...options })
  t.after(() => recorded.stream.close())
  await recorded.until(() => recorded.isReady || recorded.failure !== undefined)
  assert.equal(recorded.failure, undefined)
  return recorded
}

const say = (words: readonly string[], language: typeof ENGLISH = ENGLISH, leadMs = 0) =>
  toneSpeech(words, { language, leadMs, tailMs: PAUSE_MS })

/** The processes of a pool as something that can fail. */
class LocalProcesses {
  readonly #pool: RecognizerPool
  readonly #models: ModelFolder
  #fault: Fault | undefined
  #ended = Promise.withResolvers<void>()

  constructor(pool: RecognizerPool, models: ModelFolder) {
    this.#pool = pool
    this.#models = models
  }

  get fault(): Fault | undefined {
    return this.#fault
  }

  set fault(fault: Fault | undefined) {
    this.#fault = fault
    this.#ended.resolve()
    this.#ended = Promise.withResolvers()
    const { promise } = this.#ended
    this.#models.beforeFolder = async () => {
      if (fault === 'slow') await promise
    }
    const signal = { drop: 'SIGKILL', stall: 'SIGSTOP' }[String(fault)]
    if (signal) for (const pid of this.#pool.pids()) process.kill(pid, signal)
  }

  async close(): Promise<void> {
    this.#models.beforeFolder = async () => {
      throw new Error('the file store cannot be reached')
    }
  }

  async idle(): Promise<void> {
    assert.deepEqual(
      this.#pool.list().filter(({ streams }) => streams > 0),
      [],
    )
  }
}

for (const [name, language] of [
  ['streaming', ENGLISH],
  ['of whole utterances', ENGLISH],
] as const) {
  describe(`local, ${name}`, () => {
    speechToTextSuite(async (t) => {
      const { provider, pool, installed } = createRecognizer(t, [name === 'streaming' ? english : offline])
      const wordOf = (number: number) => String(language.words[number % language.words.length]?.word)
      return {
        provider,
        server: new LocalProcesses(pool, installed),
        speech: {
          say: (numbers, pauseMs = 0) =>
            toneSpeech(numbers.map(wordOf), { language, tailMs: pauseMs + PAUSE_MS }).pcm,
          textOf: (numbers) => numbers.map(wordOf).join(' '),
        },
        isRemote: false,
        hasKey: false,
        capFailure: undefined,
        unsupportedLanguage: undefined,
      }
    })
  })
}

describe('local recognizer', () => {
  test('LSP-1: a language is supported while a model that recognizes it is installed', async (t) => {
    const { provider, installed } = createRecognizer(t, [])
    assert.deepEqual([provider.isInstalled, provider.supports('en-US')], [false, false])
    installed.install(entry(english))
    assert.deepEqual(
      [provider.isInstalled, ...['en-US', 'en', 'de-DE', 'auto'].map((tag) => provider.supports(tag))],
      [true, true, true, false, false],
    )
    installed.remove(english.model.id)
    assert.deepEqual([provider.isInstalled, provider.supports('en-US')], [false, false])
  })

  test('LSP-2: words appear while they are spoken, with their times', async (t) => {
    for (const model of [english, offline]) {
      const { provider } = createRecognizer(t, [model])
      const recorded = await openStream(t, provider)
      const speech = say(['charlie', 'alpha', 'alpha', 'bravo', 'charlie'], ENGLISH, 1_000)
      // The audio arrives as it is spoken: the next piece when the text of the last one is there.
      for (const piece of [speech.pcm.subarray(0, 70_400), speech.pcm.subarray(70_400)]) {
        await recorded.push(piece)
        await recorded.until(() => recorded.segments.length > 0)
      }
      const [first] = recorded.segments
      assert.ok(first && !first.isFinal && first.text !== '', JSON.stringify(first))
      recorded.stream.finalize()
      await recorded.until(() => recorded.finalizedCount === 1)
      assert.equal(recorded.finalText, 'charlie alpha alpha bravo charlie')
      const [final] = recorded.finals
      const startMs = speech.words[0]?.startMs ?? 0
      assert.ok(final && Math.abs(final.startMs - startMs) <= TOLERANCE_MS, `${final?.startMs}: ${startMs}`)
      assert.equal(final.endMs, speech.pcm.byteLength / 32)
      assert.equal(final.language, 'en')
    }
  })

  test('two languages at the same time, each with its model', async (t) => {
    const { provider, pool } = createRecognizer(t, [english, german])
    const [first, second] = await Promise.all([
      openStream(t, provider, 'en-US'),
      openStream(t, provider, 'de-DE'),
    ])
    await Promise.all([
      first.recognize(say(['alpha', 'charlie']).pcm),
      second.recognize(say(['drei', 'eins'], GERMAN).pcm),
    ])
    assert.deepEqual([first.finalText, second.finalText], ['alpha charlie', 'drei eins'])
    assert.deepEqual(
      pool.list().map(({ model, streams }) => `${model} ${streams}`),
      ['tiny-streaming-en 1', 'tiny-streaming-de 1'],
    )
  })

  test('LSP-2: long silence has no text, and speech after it has', async (t) => {
    const { provider } = createRecognizer(t, [english])
    const recorded = await openStream(t, provider)
    await recorded.recognize(Buffer.alloc(32 * 30_000))
    assert.deepEqual(recorded.segments, [])
    await recorded.recognize(say(['bravo']).pcm)
    assert.equal(recorded.finalText, 'bravo')
    assert.ok((recorded.finals[0]?.startMs ?? 0) >= 30_000)
  })

  test('LSP-2: sound that is shorter than a word has no text', async (t) => {
    for (const model of [english, offline]) {
      const { provider } = createRecognizer(t, [model])
      const recorded = await openStream(t, provider)
      for (const ms of [0.0625, 10, 30]) await recorded.recognize(Buffer.alloc(ms * 32, 1))
      await recorded.recognize(say(['bravo']).pcm)
      assert.deepEqual([recorded.failure, recorded.finalText], [undefined, 'bravo'])
    }
  })

  test('streams of one process take turns', async (t) => {
    const { provider } = createRecognizer(t, [english])
    const long = await openStream(t, provider)
    const short = await openStream(t, provider)
    const words = Array.from({ length: 100 }, () => 'alpha')
    const speech = say(words).pcm
    for (let at = 0; at < speech.byteLength; at += 640) long.stream.push(speech.subarray(at, at + 640))
    long.stream.finalize()
    await short.recognize(say(['bravo']).pcm)
    assert.equal(short.finalText, 'bravo')
    assert.equal(long.finalizedCount, 0, 'the long speech is not complete')
    await long.until(() => long.finalizedCount === 1)
    assert.equal(long.finalText, words.join(' '))
  })

  test('LSP-5: a process takes as many streams as it recognizes in time, and the next one is refused', async (t) => {
    const { provider, pool } = createRecognizer(t, [english], { maxStreams: 2 })
    await openStream(t, provider)
    const second = await openStream(t, provider)
    const third = new RecordedStream(provider)
    await third.until(() => third.failure !== undefined)
    assert.equal(third.failure?.kind, 'busy')
    assert.match(String(third.failure?.message), /as many streams as it can/)
    second.stream.close()
    await openStream(t, provider)
    assert.deepEqual(
      pool.list().map(({ streams }) => streams),
      [2],
    )
  })

  test('LSP-5: streams that are opened at once wait for one process', async (t) => {
    const { provider, pool } = createRecognizer(t, [english])
    await Promise.all(Array.from({ length: 8 }, () => openStream(t, provider)))
    assert.deepEqual(
      pool.list().map(({ streams }) => streams),
      [8],
    )
  })

  test('LSP-6: a process that is killed fails its streams, and the next stream has a new one', async (t) => {
    const clock = new VirtualClock()
    const { provider, pool } = createRecognizer(t, [english], { clock })
    const recorded = await openStream(t, provider)
    await recorded.push(say(['alpha']).pcm)
    for (const pid of pool.pids()) process.kill(pid, 'SIGSEGV')
    await recorded.until(() => recorded.failure !== undefined)
    assert.equal(recorded.failure?.kind, 'retryable')
    assert.match(String(recorded.failure?.message), /tiny-streaming-en: its process ended with SIGSEGV/)
    const early = new RecordedStream(provider)
    await early.until(() => early.failure !== undefined)
    assert.match(String(early.failure?.message), /ended with SIGSEGV/, 'it is not started at once')
    clock.advance(500)
    const next = await openStream(t, provider)
    await next.recognize(say(['bravo']).pcm)
    assert.equal(next.finalText, 'bravo')
  })

  test('LSP-6: a truncated model is reported, and tried again after growing delays', async (t) => {
    const broken = await writeTinyModel('streamingEnglish', await mkdtemp(join(parent, 'broken-')))
    await truncate(join(broken.folder, String(broken.model.files[0]?.name)), 100)
    const clock = new VirtualClock()
    const { provider, pool } = createRecognizer(t, [broken], { clock })
    for (const delayMs of [500, 1_000, 2_000]) {
      const recorded = new RecordedStream(provider)
      await recorded.until(() => recorded.failure !== undefined)
      assert.equal(recorded.failure?.kind, 'retryable')
      assert.match(
        String(recorded.failure?.message),
        /^local: tiny-streaming-en: its process ended with SIGABRT$/,
      )
      assert.deepEqual(pool.list(), [])
      clock.advance(delayMs)
    }
  })

  test('a process that does not answer for a minute while it is used is ended', async (t) => {
    const clock = new VirtualClock()
    const { provider, pool } = createRecognizer(t, [english], { clock })
    const recorded = await openStream(t, provider)
    // It answers.
    for (let minute = 0; minute < 3; minute += 1) {
      for (let seconds = 0; seconds < 60; seconds += 10) clock.advance(10_000)
      await recorded.recognize(say(['alpha']).pcm)
    }
    assert.deepEqual([recorded.failure], [undefined])
    for (const pid of pool.pids()) process.kill(pid, 'SIGSTOP')
    for (let seconds = 0; seconds < 60; seconds += 10) clock.advance(10_000)
    assert.equal(pool.list().length, 1, 'not before a minute has passed')
    clock.advance(10_000)
    await recorded.until(() => recorded.failure !== undefined)
    assert.match(String(recorded.failure?.message), /tiny-streaming-en: its process does not answer/)
    clock.advance(500)
    const next = await openStream(t, provider)
    await next.recognize(say(['bravo']).pcm)
    assert.equal(next.finalText, 'bravo')
  })

  test('a model that is removed while it is in use fails its streams', async (t) => {
    const { provider, installed, pool } = createRecognizer(t, [english])
    const recorded = await openStream(t, provider)
    installed.remove(english.model.id)
    await recorded.until(() => recorded.failure !== undefined)
    assert.deepEqual([provider.supports('en-US'), pool.list()], [false, []])
  })

  test('LSP-8: a model that needs more memory than there is does not start', async (t) => {
    const { provider, pool } = createRecognizer(t, [english], { availableMemory: () => 10_000_000 })
    const recorded = new RecordedStream(provider)
    await recorded.until(() => recorded.failure !== undefined)
    assert.match(String(recorded.failure?.message), /needs \d+ MB of memory, and 10 MB are free/)
    assert.deepEqual(pool.list(), [])
  })

  test('LSP-8: a process without streams for ten minutes ends', async (t) => {
    const clock = new VirtualClock()
    const { provider, pool } = createRecognizer(t, [english], { clock })
    const recorded = await openStream(t, provider)
    recorded.stream.close()
    clock.advance(599_000)
    assert.equal(pool.list().length, 1)
    const again = await openStream(t, provider)
    again.stream.close()
    clock.advance(599_000)
    assert.equal(pool.list().length, 1, 'it was used in between')
    clock.advance(1_000)
    assert.equal(pool.list().length, 0)
  })

  test('LSP-12: a punctuation model adds marks and capitals to interim and final text', async (t) => {
    const punctuation = await writeTinyModel('onlinePunctuation', parent)
    for (const model of [english, offline]) {
      const { provider } = createRecognizer(t, [model, punctuation])
      const recorded = await openStream(t, provider)
      await recorded.recognize(say(['alpha', 'bravo', 'alpha', 'charlie']).pcm)
      assert.equal(recorded.finalText, 'Alpha bravo, Alpha charlie.')
    }
  })

  test('LSP-12: marks of Chinese become those of the script', async (t) => {
    const punctuation = await writeTinyModel('offlinePunctuation', parent)
    const { provider } = createRecognizer(t, [english, punctuation])
    const recorded = await openStream(t, provider)
    await recorded.recognize(say(['alpha', 'bravo', 'alpha', 'charlie']).pcm)
    assert.equal(recorded.finalText, 'alpha bravo, alpha charlie.')
  })

  test('LSP-12: new streams have the punctuation that is installed meanwhile, and open ones go on', async (t) => {
    const { provider, installed, pool } = createRecognizer(t, [english])
    const before = await openStream(t, provider)
    installed.install(entry(await writeTinyModel('onlinePunctuation', parent)))
    const after = await openStream(t, provider)
    await before.recognize(say(['alpha']).pcm)
    await after.recognize(say(['alpha']).pcm)
    assert.deepEqual([before.finalText, after.finalText], ['alpha', 'Alpha'])
    assert.equal(pool.list().length, 2)
  })

  test('LSP-13: speakers are told apart, with the same labels in all streams of a session', async (t) => {
    const speaker = await writeTinyModel('speaker', parent)
    for (const model of [english, offline]) {
      const { provider } = createRecognizer(t, [model, speaker, german])
      const listen = (session: string, language = 'en-US') => openStream(t, provider, language, { session })
      const spoken = (overtone: number, language = ENGLISH) =>
        toneSpeech(
          [language.words[0], language.words[1]].map((word) => String(word?.word)),
          {
            language,
            overtone,
            tailMs: PAUSE_MS,
          },
        ).pcm
      const first = await listen('s1')
      await first.recognize(spoken(OVERTONES.first))
      await first.recognize(spoken(OVERTONES.second))
      await first.recognize(spoken(OVERTONES.first))
      assert.deepEqual(
        first.finals.map(({ speakerId }) => speakerId),
        ['1', '2', '1'],
      )
      const other = await listen('s1', 'de-DE')
      await other.recognize(spoken(OVERTONES.second, GERMAN))
      await other.recognize(spoken(OVERTONES.third, GERMAN))
      const stranger = await listen('s2')
      await stranger.recognize(spoken(OVERTONES.second))
      assert.deepEqual(
        [...other.finals, ...stranger.finals].map(({ speakerId }) => speakerId),
        ['2', '3', '1'],
      )
    }
  })

  test('LSP-14: a model that detects the language reports it, and recognizes each of its languages', async (t) => {
    const model = await writeTinyModel('offlineEnglishJapanese', parent)
    const { provider } = createRecognizer(t, [model])
    assert.equal(provider.supports('auto'), true)
    const recorded = await openStream(t, provider, 'auto')
    for (const language of [ENGLISH_PAIR, JAPANESE_PAIR])
      await recorded.recognize(
        say(
          language.words.map(({ word }) => word),
          language,
        ).pcm,
      )
    assert.deepEqual(
      recorded.finals.map(({ language }) => language),
      ['en', 'ja'],
    )
  })

  test('LSP-9: the environment of a recognizer process contains nothing of the cloud', async (t) => {
    const { provider, pool } = createRecognizer(t, [english])
    await openStream(t, provider)
    const { readFile } = await import('node:fs/promises')
    const [pid] = pool.pids()
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8')
    assert.deepEqual(
      environment.split('\0').flatMap((line) => line.split('=')[0] || []),
      ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE'],
    )
  })
})
