import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { SAMPLE_RATE, silence } from '@glasses-cloud/phone'
import {
  CHARACTER_MS,
  ENGLISH,
  keywordLine,
  OVERTONES,
  type ToneSpeechOptions,
  toneOfCharacter,
  toneSpeech,
  toSamples,
  VOICE_SAMPLE_RATE,
  writeTinyModel,
} from '../support/tiny-speech-models/index.ts'
import {
  loadKeywordSpotter,
  loadOfflinePunctuation,
  loadOnlinePunctuation,
  loadSpeaker,
  loadStreaming,
  loadVoice,
} from '../support/tiny-speech-models/library.ts'

let folder = ''

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiny-models-'))
})
after(() => rm(folder, { recursive: true, force: true }))

function waveform(pcm: Buffer) {
  return { samples: toSamples(pcm), sampleRate: SAMPLE_RATE }
}

/** The share of the energy of sound at one frequency (Goertzel's algorithm): near 1 for a pure tone, else near 0. */
function shareOf(frequency: number, samples: Float32Array): number {
  const factor = 2 * Math.cos((2 * Math.PI * frequency) / VOICE_SAMPLE_RATE)
  let last = 0
  let beforeLast = 0
  let energy = 0
  for (const sample of samples) {
    ;[last, beforeLast] = [sample + factor * last - beforeLast, last]
    energy += sample * sample
  }
  const power = last * last + beforeLast * beforeLast - factor * last * beforeLast
  return energy === 0 ? 0 : (2 * power) / (samples.length * energy)
}

describe('the tiny voice', () => {
  let voice: ReturnType<typeof loadVoice>
  before(async () => {
    voice = loadVoice(await writeTinyModel('voice', folder))
  })

  async function speak(text: string, speed = 1) {
    const sound = await voice.generateAsync({ text, sid: 0, speed })
    assert.equal(sound.sampleRate, VOICE_SAMPLE_RATE)
    return sound
  }

  test('speaks each character as its tone, for the same time', async () => {
    const text = 'Hello, cab 42.'
    const { samples } = await speak(text)
    const perCharacter = (VOICE_SAMPLE_RATE * CHARACTER_MS) / 1000
    assert.equal(samples.length, text.length * perCharacter)
    for (const [index, character] of [...text.toLowerCase()].entries()) {
      const part = samples.subarray(index * perCharacter, (index + 1) * perCharacter)
      const tone = toneOfCharacter(character)
      if (tone === 0) assert.ok(part.every((sample) => sample === 0))
      else assert.ok(shareOf(tone, part) > 0.9, `${character} at ${index}: ${shareOf(tone, part)}`)
    }
  })

  test('speaks faster and slower', async () => {
    const usual = (await speak('glasses cloud')).samples.length
    assert.equal((await speak('glasses cloud', 2)).samples.length, usual / 2)
    assert.equal((await speak('glasses cloud', 0.5)).samples.length, usual * 2)
  })

  test('ignores characters that it does not know, and rejects texts of such characters only', async () => {
    assert.equal((await speak('a眼鏡b')).samples.length, (await speak('ab')).samples.length)
    await assert.rejects(speak('眼鏡'), /no audio/)
    await assert.rejects(speak(''), /no audio/)
  })

  test('is understood by the recognizer', async () => {
    const recognizer = loadStreaming(await writeTinyModel('streamingEnglish', folder))
    const stream = recognizer.createStream()
    stream.acceptWaveform(await speak('aaa bbb. Ccc, aaa      '))
    while (recognizer.isReady(stream)) recognizer.decode(stream)
    assert.equal(recognizer.getResult(stream).text, 'alpha bravo charlie alpha')
  })
})

test('the tiny keyword spotter finds sequences of words, and no others', async () => {
  const model = await writeTinyModel('keywordSpotter', folder)
  const keywordsFile = join(folder, 'keywords.txt')
  const keywords = [
    ['alpha', 'bravo'],
    ['charlie', 'alpha', 'charlie'],
  ]
  await writeFile(keywordsFile, keywords.map((words) => keywordLine(ENGLISH, words)).join(''))
  const spotter = loadKeywordSpotter(model, keywordsFile)
  const find = (words: readonly string[]) => {
    const stream = spotter.createStream()
    const { pcm } = toneSpeech(words, { language: ENGLISH, leadMs: 500, tailMs: 1_000, noise: 0.005 })
    stream.acceptWaveform(waveform(pcm))
    const found: string[] = []
    while (spotter.isReady(stream)) {
      spotter.decode(stream)
      const { keyword } = spotter.getResult(stream)
      if (keyword === '') continue
      found.push(keyword)
      spotter.reset(stream)
    }
    return found
  }
  assert.deepEqual(find(['alpha', 'bravo']), ['alpha_bravo'])
  assert.deepEqual(find(['bravo', 'alpha']), [])
  assert.deepEqual(find(['alpha', 'charlie', 'bravo']), [])
  assert.deepEqual(find([]), [])
  assert.deepEqual(find(['bravo', 'alpha', 'bravo', 'charlie', 'charlie', 'alpha', 'charlie']), [
    'alpha_bravo',
    'charlie_alpha_charlie',
  ])
})

test('the tiny speaker model tells speakers apart, whatever they say and however loud', async () => {
  const extractor = loadSpeaker(await writeTinyModel('speaker', folder))
  const embed = (pcm: Buffer) => {
    const stream = extractor.createStream()
    stream.acceptWaveform(waveform(pcm))
    stream.inputFinished()
    return extractor.compute(stream)
  }
  const speak = (words: readonly string[], options: Partial<ToneSpeechOptions>) =>
    embed(toneSpeech(words, { language: ENGLISH, ...options }).pcm)
  const speakers = Object.values(OVERTONES).map((overtone) => [
    speak(['alpha', 'bravo'], { overtone }),
    speak(['charlie', 'charlie', 'bravo'], { overtone, amplitude: 0.1, noise: 0.005, tailMs: 500 }),
  ])
  for (const [one, own] of speakers.entries())
    for (const [other, theirs] of speakers.entries())
      for (const first of own)
        for (const second of theirs) {
          const similarity = cosine(first, second)
          assert.ok(one === other ? similarity > 0.8 : similarity < 0.2, `${one}, ${other}: ${similarity}`)
        }
  assert.ok(embed(silence(1_000)).every((value) => value === 0))
})

function cosine(first: Float32Array, second: Float32Array): number {
  const dot = (a: Float32Array, b: Float32Array) =>
    a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
  return dot(first, second) / Math.sqrt(dot(first, first) * dot(second, second))
}

test('the tiny punctuation models write marks and capitals', async () => {
  const text = 'alpha bravo alpha charlie bravo delta'
  const offline = loadOfflinePunctuation(await writeTinyModel('offlinePunctuation', folder))
  assert.equal(offline.addPunct(text), 'alpha bravo，alpha charlie。bravo，delta。')
  const online = loadOnlinePunctuation(await writeTinyModel('onlinePunctuation', folder))
  assert.equal(online.addPunct(text), 'Alpha bravo, Alpha charlie. bravo, delta')
  // The library gives the model pieces of 200 tokens.
  assert.equal(online.addPunct('alpha bravo '.repeat(150)), 'Alpha bravo, '.repeat(150).trim())
})
