import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UnsupportedSpeechError } from '../text-to-speech.ts'
import { splitIntoPassages } from './english-text.ts'

describe('text for an English voice', () => {
  test('TTS-73: accents, quotes and signs become ASCII, and emoji are skipped', () => {
    const cases = [
      ['Grüße, naïve café!', 'Grusse, naive cafe!'],
      ['ÆON, Łódź and smørrebrød', 'AEON, Lodz and smorrebrod'],
      ['“It’s” – ok…', '"It\'s" , ok...'],
      ['It costs €5.50, £ 3 or ¥; 20°C', 'It costs 5.50 euros, 3 pounds or yen ; 20 degrees C'],
      ['x² is ½ of 10 µm', 'x2 is 1 2 of 10 micro m'],
      ['Seen 👓 today', 'Seen today'],
      ['line\none\ttwo', 'line one two'],
    ] as const
    for (const [text, expected] of cases) assert.deepEqual(splitIntoPassages(text), [expected])
  })

  test('TTS-73: a text without words is a blank passage', () => {
    for (const text of ['👓', '🙂 🙃', '\u200b']) assert.deepEqual(splitIntoPassages(text), [' '])
    assert.deepEqual(splitIntoPassages('…'), ['...'])
  })

  test('TTS-73: letters and digits of other scripts are rejected without repeating the text', () => {
    for (const text of ['Привет', 'say 你好', 'こんにちは', '안녕', 'שלום', 'سلام', 'नमस्ते', '٣', 'Ω']) {
      assert.throws(
        () => splitIntoPassages(text),
        (error: Error) => {
          assert.ok(error instanceof UnsupportedSpeechError)
          assert.match(error.message, /letters.*English only.*TTS_PROVIDER=espeak/)
          assert.ok(!error.message.includes(text))
          return true
        },
        text,
      )
    }
  })

  test('TTS-75: the first passage is the first sentence, and further ones are filled with whole sentences', () => {
    const sentence = 'The quick brown fox jumps over the lazy dog, and runs.'
    const passages = splitIntoPassages(new Array(8).fill(sentence).join(' '))
    assert.deepEqual(
      passages.map((each) => each.split(sentence).length - 1),
      [1, 2, 2, 2, 1],
    )
    assert.deepEqual(splitIntoPassages('Mr. J. Smith met Dr. Jones. They left.'), [
      'Mr. J. Smith met Dr. Jones.',
      'They left.',
    ])
  })

  test('TTS-75: long sentences and words are split, and no character is lost', () => {
    const clause = 'many small words make one long clause, '.repeat(20)
    for (const text of [clause.trim(), 'word '.repeat(300).trim(), '9'.repeat(1_000)]) {
      const passages = splitIntoPassages(text)
      assert.ok(passages.every(({ length }) => length <= 150))
      assert.equal(passages.join(' ').replaceAll(' ', ''), text.replaceAll(' ', ''))
    }
    assert.ok(
      splitIntoPassages(clause)
        .slice(0, -1)
        .every((each) => each.endsWith(',')),
    )
  })
})
