import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { BYTES_PER_MS, SAMPLE_RATE, silence } from '@glasses-cloud/phone'
import { Lc3Encoder } from '@glasses-cloud/phone/lc3'
import { Lc3Decoder } from '../../src/sockets/audio-decoder.ts'
import {
  ENGLISH,
  ENGLISH_PAIR,
  GERMAN,
  JAPANESE_PAIR,
  OVERTONES,
  TINY_MODELS,
  type TinyModelFolder,
  type ToneSpeech,
  type ToneSpeechOptions,
  toneSpeech,
  toSamples,
  writeTinyModel,
} from '../support/tiny-speech-models/index.ts'
import { loadOfflineCtc, loadSenseVoice, loadStreaming } from '../support/tiny-speech-models/library.ts'

/** Sound that the streaming models need after a word to recognize it. */
const TAIL_MS = 400
/** How far the start of a word may be from the start of its tone: two frames. */
const TOLERANCE_S = 0.08
const MAX_MODEL_BYTES = 200_000

const ALL_WORDS = ['alpha', 'bravo', 'bravo', 'charlie', 'alpha']

let folder = ''

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiny-models-'))
})
after(() => rm(folder, { recursive: true, force: true }))

function english(words: readonly string[], options: Partial<ToneSpeechOptions> = {}): ToneSpeech {
  return toneSpeech(words, { language: ENGLISH, tailMs: TAIL_MS, ...options })
}

function german(words: readonly string[]): ToneSpeech {
  return toneSpeech(words, { language: GERMAN, tailMs: TAIL_MS })
}

function waveform(pcm: Buffer) {
  return { samples: toSamples(pcm), sampleRate: SAMPLE_RATE }
}

/** The words of a result with their times. A token that starts with a space starts a word. */
function wordsOf({ tokens, timestamps }: { tokens: readonly string[]; timestamps: readonly number[] }) {
  const words: { word: string; startS: number }[] = []
  for (const [index, token] of tokens.entries()) {
    const last = words.at(-1)
    if (token.startsWith(' ') || last === undefined)
      words.push({ word: token.trim(), startS: timestamps[index] ?? Number.NaN })
    else last.word += token
  }
  return words
}

function assertWords(
  result: { tokens: readonly string[]; timestamps: readonly number[] },
  speech: ToneSpeech,
): void {
  const words = wordsOf(result)
  assert.deepEqual(
    words.map(({ word }) => word),
    speech.words.map(({ word }) => word),
  )
  for (const [index, { word, startS }] of words.entries()) {
    const expectedS = (speech.words[index]?.startMs ?? Number.NaN) / 1000
    assert.ok(Math.abs(startS - expectedS) <= TOLERANCE_S, `${word} at ${startS} s instead of ${expectedS} s`)
  }
}

/** What remains of sound that glasses send with 16 kbit/s, the lowest bit rate of LC3. */
function throughLc3(pcm: Buffer): Buffer {
  const frameBytes = 20
  const encoded = new Lc3Encoder(frameBytes).encode(pcm)
  return new Lc3Decoder(frameBytes).decode(Buffer.from(encoded)).pcm ?? Buffer.alloc(0)
}

/** Sounds that each recognizer of English recognizes. */
const SOUNDS: readonly (readonly [string, Partial<ToneSpeechOptions>])[] = [
  ['as it is', {}],
  ['quiet', { amplitude: 0.05 }],
  ['loud', { amplitude: 0.9 }],
  ['quiet in noise', { amplitude: 0.05, noise: 0.005 }],
  ['in louder noise', { noise: 0.02 }],
  ['with the overtone of a speaker', { overtone: OVERTONES.first }],
  ['quick', { wordMs: 200, pauseMs: 100 }],
  ['slow', { wordMs: 300, pauseMs: 500 }],
  ['after ten seconds of silence', { leadMs: 10_013 }],
]

test('a tiny model is small, and its manifest describes its files', async () => {
  for (const name of TINY_MODELS) {
    const written = await writeTinyModel(name, folder)
    const manifest = JSON.parse(await readFile(join(written.folder, 'model.json'), 'utf8'))
    assert.deepEqual(manifest, written.model)
    let total = 0
    for (const { name, bytes, sha256 } of written.model.files) {
      const content = await readFile(join(written.folder, name))
      assert.equal(content.length, bytes)
      assert.equal(createHash('sha256').update(content).digest('hex'), sha256)
      total += bytes
    }
    assert.ok(total < MAX_MODEL_BYTES, `${name} has ${total} bytes`)
  }
})

describe('the tiny streaming recognizer', () => {
  let recognizer: ReturnType<typeof loadStreaming>
  before(async () => {
    recognizer = loadStreaming(await writeTinyModel('streamingEnglish', folder))
  })

  function recognize(pcm: Buffer) {
    const stream = recognizer.createStream()
    stream.acceptWaveform(waveform(pcm))
    while (recognizer.isReady(stream)) recognizer.decode(stream)
    return recognizer.getResult(stream)
  }

  for (const [name, options] of SOUNDS) {
    test(`recognizes words in order and at their times: ${name}`, () => {
      const speech = english(ALL_WORDS, options)
      const result = recognize(speech.pcm)
      assert.equal(result.text, 'alpha bravo bravo charlie alpha')
      assertWords(result, speech)
    })
  }

  test('recognizes words after LC3', () => {
    for (const amplitude of [0.05, 0.9]) {
      const speech = english(ALL_WORDS, { amplitude, noise: 0.005 })
      assertWords(recognize(throughLc3(speech.pcm)), speech)
    }
    assert.equal(recognize(throughLc3(english([], { tailMs: 5_000, noise: 0.005 }).pcm)).text, '')
  })

  test('recognizes nothing in silence, noise and words of another language', () => {
    assert.equal(recognize(silence(10_000)).text, '')
    assert.equal(recognize(english([], { tailMs: 10_000, noise: 0.05 }).pcm).text, '')
    assert.equal(recognize(german(['eins', 'zwei', 'drei']).pcm).text, '')
    assert.equal(recognize(english(ALL_WORDS, { amplitude: 0.002 }).pcm).text, '')
  })

  test('adds words to interim results until they are final', () => {
    const { pcm } = english(ALL_WORDS, { tailMs: 1_200 })
    const stream = recognizer.createStream()
    const texts: string[] = []
    for (let at = 0; at < pcm.length; at += 20 * BYTES_PER_MS) {
      stream.acceptWaveform(waveform(pcm.subarray(at, at + 20 * BYTES_PER_MS)))
      while (recognizer.isReady(stream)) recognizer.decode(stream)
      const { text } = recognizer.getResult(stream)
      if (text !== (texts.at(-1) ?? '')) texts.push(text)
    }
    assert.ok(texts.length >= ALL_WORDS.length, texts.join(' | '))
    for (const [index, text] of texts.entries()) assert.ok(text.startsWith(texts[index - 1] ?? ''), text)
    assert.equal(texts.at(-1), ALL_WORDS.join(' '))
    assert.ok(recognizer.isEndpoint(stream))
  })

  test('starts a new utterance after an endpoint', () => {
    const stream = recognizer.createStream()
    const decode = (pcm: Buffer) => {
      stream.acceptWaveform(waveform(pcm))
      while (recognizer.isReady(stream)) recognizer.decode(stream)
    }
    decode(english(['alpha']).pcm)
    assert.ok(!recognizer.isEndpoint(stream))
    decode(silence(800))
    assert.ok(recognizer.isEndpoint(stream))
    recognizer.reset(stream)
    decode(english(['bravo', 'bravo']).pcm)
    assert.equal(recognizer.getResult(stream).text, 'bravo bravo')
  })

  test('decodes several streams together, each with its own state', () => {
    const sentences = [
      ['alpha', 'bravo'],
      ['charlie', 'charlie'],
      ['bravo', 'alpha'],
    ]
    const streams = sentences.map((words) => {
      const stream = recognizer.createStream()
      stream.acceptWaveform(waveform(english(words).pcm))
      return stream
    })
    while (streams.every((stream) => recognizer.isReady(stream))) recognizer.decodeStreams(streams)
    assert.deepEqual(
      streams.map((stream) => recognizer.getResult(stream).text),
      sentences.map((words) => words.join(' ')),
    )
  })

  test('recognizes German with the German model, and no English', async () => {
    recognizer = loadStreaming(await writeTinyModel('streamingGerman', folder))
    const speech = german(['drei', 'zwei', 'zwei', 'eins'])
    assertWords(recognize(speech.pcm), speech)
    assert.equal(recognize(english(ALL_WORDS).pcm).text, '')
  })
})

describe('the tiny offline recognizer (CTC)', () => {
  let recognizer: ReturnType<typeof loadOfflineCtc>
  before(async () => {
    recognizer = loadOfflineCtc(await writeTinyModel('offlineEnglish', folder))
  })

  function recognize(pcm: Buffer) {
    const stream = recognizer.createStream()
    stream.acceptWaveform(waveform(pcm))
    recognizer.decode(stream)
    return recognizer.getResult(stream)
  }

  for (const [name, options] of SOUNDS) {
    test(`recognizes words in order and at their times: ${name}`, () => {
      const speech = english(ALL_WORDS, options)
      const result = recognize(speech.pcm)
      assert.equal(result.text, 'alpha bravo bravo charlie alpha')
      assertWords(result, speech)
    })
  }

  test('recognizes nothing in silence and noise', () => {
    assert.equal(recognize(silence(10_000)).text, '')
    assert.equal(recognize(english([], { tailMs: 10_000, noise: 0.05 }).pcm).text, '')
  })
})

describe('the tiny offline recognizer (SenseVoice)', () => {
  let model: TinyModelFolder
  let recognizer: ReturnType<typeof loadSenseVoice>
  before(async () => {
    model = await writeTinyModel('offlineEnglishJapanese', folder)
    recognizer = loadSenseVoice(model)
  })

  function recognize(pcm: Buffer) {
    const stream = recognizer.createStream()
    stream.acceptWaveform(waveform(pcm))
    recognizer.decode(stream)
    return recognizer.getResult(stream)
  }

  for (const [name, options] of SOUNDS) {
    test(`recognizes two languages: ${name}`, () => {
      const inEnglish = toneSpeech(['alpha', 'bravo', 'bravo', 'alpha'], {
        language: ENGLISH_PAIR,
        tailMs: TAIL_MS,
        ...options,
      })
      const english = recognize(inEnglish.pcm)
      assert.equal(english.lang, '<|en|>')
      assert.equal(english.text, 'alpha bravo bravo alpha')
      assertWords(english, inEnglish)

      const inJapanese = toneSpeech(['いち', 'さん', 'さん'], {
        language: JAPANESE_PAIR,
        tailMs: TAIL_MS,
        ...options,
      })
      const japanese = recognize(inJapanese.pcm)
      assert.equal(japanese.lang, '<|ja|>')
      assert.equal(japanese.text, 'いちさんさん')
    })
  }

  test('recognizes nothing in silence, noise, other words and very quiet words', () => {
    const noise = english([], { tailMs: 5_000, noise: 0.005 }).pcm
    const other = english(['charlie', 'charlie']).pcm
    const tooQuiet = english(['alpha', 'bravo'], { amplitude: 0.002 }).pcm
    for (const pcm of [
      silence(5_000),
      noise,
      throughLc3(silence(1_000)),
      throughLc3(noise),
      other,
      tooQuiet,
    ]) {
      const { text, lang } = recognize(pcm)
      assert.equal(text, '')
      assert.equal(lang, '<|nospeech|>')
    }
  })

  test('reports the language that lasts longer, or the one that the caller names', () => {
    const english = toneSpeech(['alpha', 'bravo'], { language: ENGLISH_PAIR, tailMs: 160 }).pcm
    const japanese = toneSpeech(['いち'], { language: JAPANESE_PAIR, tailMs: TAIL_MS }).pcm
    const both = recognize(Buffer.concat([japanese, english]))
    assert.equal(both.lang, '<|en|>')
    assert.equal(both.text.replaceAll(' ', ''), 'いちalphabravo')
    recognizer = loadSenseVoice(model, 'ja')
    assert.equal(recognize(english).lang, '<|ja|>')
  })
})
