import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import pino from 'pino'
import {
  ENGLISH,
  type TinyModelFolder,
  toneSpeech,
  writeTinyModel,
} from '../../../test/support/tiny-speech-models/index.ts'
import type { SpeechFailure, WakeWordListener } from '../../session/index.ts'
import { systemClock } from '../../time/index.ts'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import type { SpeechModel } from '../speech-models/index.ts'
import { SpotterPool, type SpotterPoolDeps } from './spotter-pool.ts'
import { ModelFolder } from './testing/model-folder.ts'

let parent = ''
let spotter: TinyModelFolder

before(async () => {
  parent = await mkdtemp(join(tmpdir(), 'spotter-'))
  spotter = await writeTinyModel('keywordSpotter', parent)
})
after(() => rm(parent, { recursive: true, force: true }))

const entry = ({ folder, model }: TinyModelFolder) => ({ folder, model: model as SpeechModel })

function createPool(t: TestContext, options: Partial<SpotterPoolDeps> = {}) {
  const installed = new ModelFolder()
  installed.install(entry(spotter))
  const log = pino({ level: 'silent' })
  const pool = new SpotterPool({ models: installed, clock: systemClock, log, ...options })
  t.after(() => pool.close())
  return { installed, pool }
}

const say = (...words: string[]) => toneSpeech(words, { language: ENGLISH, leadMs: 200, tailMs: 300 }).pcm

/** An open stream, and what it reported. */
class Recorded implements WakeWordListener {
  readonly detections: string[] = []
  unspelled: readonly string[] | undefined
  failure: SpeechFailure | undefined
  readonly stream
  #changed = Promise.withResolvers<void>()

  constructor(pool: SpotterPool, phrases: readonly string[], language = 'en-US') {
    this.stream = pool.open({ language, phrases }, this)
  }

  static async open(pool: SpotterPool, ...phrases: string[]): Promise<Recorded> {
    const recorded = new Recorded(pool, phrases)
    await recorded.until(() => recorded.unspelled !== undefined || recorded.failure !== undefined)
    assert.equal(recorded.failure, undefined)
    return recorded
  }

  ready(unspelled: readonly string[]): void {
    this.unspelled = unspelled
    this.#change()
  }

  detected(phrase: string): void {
    this.detections.push(phrase)
    this.#change()
  }

  failed(failure: SpeechFailure): void {
    this.failure = failure
    this.#change()
  }

  /** Says words and waits until they are processed: for the phrase `end`, which every stream has. */
  async hear(...words: string[]): Promise<string[]> {
    this.stream.push(say(...words))
    this.stream.pause()
    this.stream.push(say(...END.split(' ')))
    this.stream.pause()
    await this.until(() => this.detections.at(-1) === END)
    return this.detections.splice(0).slice(0, -1)
  }

  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await this.#changed.promise
  }

  #change(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}

const END = 'charlie charlie charlie'

describe('keyword spotter', () => {
  test('WAKE-5: a phrase is detected in speech, each time that it is said, and nothing else', async (t) => {
    const { pool } = createPool(t)
    const recorded = await Recorded.open(pool, 'alpha bravo', END)
    assert.deepEqual(await recorded.hear('alpha', 'charlie', 'bravo', 'alpha'), [])
    assert.deepEqual(await recorded.hear('charlie', 'alpha', 'bravo', 'alpha', 'bravo'), [
      'alpha bravo',
      'alpha bravo',
    ])
  })

  test('WAKE-5: a phrase does not continue after a pause of the speech', async (t) => {
    const { pool } = createPool(t)
    const recorded = await Recorded.open(pool, 'alpha bravo', END)
    recorded.stream.push(say('alpha'))
    recorded.stream.pause()
    assert.deepEqual(await recorded.hear('bravo'), [])
  })

  test('WAKE-4: streams with different phrases of one process each detect their own', async (t) => {
    const { pool } = createPool(t)
    const first = await Recorded.open(pool, 'alpha', END)
    const second = await Recorded.open(pool, 'alpha bravo', 'bravo charlie', END)
    const heard = await Promise.all([first, second].map((each) => each.hear('alpha', 'bravo', 'charlie')))
    assert.deepEqual(heard, [['alpha'], ['alpha bravo']])
    assert.deepEqual(pool.list(), [{ model: 'tiny-keywords-en', streams: 2 }])
  })

  test('WAKE-6: a phrase that the model cannot spell is reported, and others are detected', async (t) => {
    const { pool } = createPool(t)
    const recorded = await Recorded.open(pool, 'hey Computer', 'Alpha', END)
    assert.deepEqual(recorded.unspelled, ['hey Computer'])
    assert.deepEqual(await recorded.hear('alpha'), ['Alpha'])
    const none = await Recorded.open(pool, 'hey Computer')
    none.stream.push(say('alpha', 'bravo'))
    none.stream.pause()
    assert.deepEqual(await recorded.hear('bravo'), [], 'the process has not ended')
  })

  test('WAKE-7: a process that is killed fails its streams, and the next stream has a new one', async (t) => {
    const clock = new VirtualClock()
    const { pool } = createPool(t, { clock })
    const recorded = await Recorded.open(pool, 'alpha', END)
    for (const pid of pool.pids()) process.kill(pid, 'SIGKILL')
    await recorded.until(() => recorded.failure !== undefined)
    assert.match(String(recorded.failure?.message), /tiny-keywords-en: its process ended with SIGKILL/)
    clock.advance(500)
    const next = await Recorded.open(pool, 'alpha', END)
    assert.deepEqual(await next.hear('alpha'), ['alpha'])
  })

  test('WAKE-7: a process detects in as many streams as it can in time', async (t) => {
    const { pool } = createPool(t, { maxStreams: 1 })
    const first = await Recorded.open(pool, 'alpha', END)
    const second = new Recorded(pool, ['bravo'])
    await second.until(() => second.failure !== undefined)
    assert.equal(second.failure?.kind, 'busy')
    first.stream.close()
    await Recorded.open(pool, 'bravo')
  })

  test('WAKE-3: a language is supported while a model of it is installed, whose removal fails its streams', async (t) => {
    const { pool, installed } = createPool(t)
    assert.deepEqual([pool.supports('en-GB'), pool.supports('de-DE')], [true, false])
    const recorded = await Recorded.open(pool, 'alpha', END)
    installed.remove(spotter.model.id)
    await recorded.until(() => recorded.failure !== undefined)
    assert.deepEqual([pool.supports('en-US'), pool.list()], [false, []])
    const late = new Recorded(pool, ['alpha'])
    await late.until(() => late.failure !== undefined)
    assert.match(String(late.failure?.message), /no installed model detects phrases in en-US/)
  })
})
