import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { Transcripts } from './transcripts.ts'

const EVER = { from: 0, to: Number.MAX_SAFE_INTEGER }
const MINUTE = 60_000

/** Transcripts on a virtual clock. A text that ends with three dots is an interim segment. */
class TranscriptsRig {
  readonly clock = new VirtualClock(10_000_000)
  readonly transcripts = new Transcripts(this.clock)

  add(text: string, language = 'en-US'): void {
    const isFinal = !text.endsWith('...')
    this.transcripts.add(language, { resultId: text, text, timestamp: this.clock.now(), isFinal })
  }

  read(range = EVER, language = 'en-US'): string[] {
    return this.transcripts.read(language, range).map(({ text }) => text)
  }
}

test('SPK-10: final segments and the current interim are kept', () => {
  const rig = new TranscriptsRig()
  rig.add('one...')
  rig.add('one two...')
  assert.deepEqual(rig.read(), ['one two...'])
  rig.add('one two three')
  assert.deepEqual(rig.read(), ['one two three'])
  rig.add('four')
  rig.add('five...')
  assert.deepEqual(rig.read(), ['one two three', 'four', 'five...'])
})

test('SPK-11: the languages that match a tag are one transcript, by time', () => {
  const rig = new TranscriptsRig()
  for (const [text, language] of [
    ['a', 'en'],
    ['b', 'en-GB'],
    ['c', 'en-US'],
    ['d', 'de-DE'],
    ['e', 'en'],
  ] as const) {
    rig.add(text, language)
    rig.clock.advance(1)
  }
  for (const [tag, texts] of [
    ['en', 'abce'],
    ['en_us', 'ace'],
    ['en-AU', 'ae'],
    ['de', 'd'],
    ['fr', ''],
  ] as const)
    assert.equal(rig.read(EVER, tag).join(''), texts, tag)
})

test('SPK-10: each speaker has an interim segment of their own, of at most 16 speakers', () => {
  const rig = new TranscriptsRig()
  const add = (resultId: string, isFinal: boolean, speakerId?: string) => {
    const speaker = speakerId === undefined ? {} : { speakerId }
    const timestamp = rig.clock.now()
    rig.transcripts.add('en-US', { resultId, text: resultId, timestamp, isFinal, ...speaker })
  }
  add('ann...', false, '1')
  add('bob...', false, '2')
  add('ann again...', false, '1')
  assert.deepEqual(rig.read(), ['bob...', 'ann again...'])
  add('bob', true, '2')
  assert.deepEqual(rig.read(), ['bob', 'ann again...'])
  for (let speaker = 3; speaker < 30; speaker += 1) add(`${speaker}...`, false, String(speaker))
  assert.equal(rig.read().length, 17)
})

test('SPK-11: a range returns the segments of its language within it', () => {
  const rig = new TranscriptsRig()
  const at = (second: number) => 10_000_000 + second * 1_000
  for (const text of ['zero', 'one', 'two', 'three...']) {
    rig.add(text)
    rig.clock.advance(1_000)
  }
  rig.add('hola', 'es-ES')
  assert.deepEqual(rig.read({ from: at(1), to: at(2) }), ['one', 'two'])
  assert.deepEqual(rig.read({ from: at(3), to: at(9) }), ['three...'])
  assert.deepEqual(rig.read({ from: at(2), to: at(1) }), [])
  assert.deepEqual(rig.read(EVER, 'es-ES'), ['hola'])
  assert.deepEqual(rig.read(EVER, 'de-DE'), [])
})

test('SPK-12: segments older than 30 minutes are not returned', () => {
  const rig = new TranscriptsRig()
  rig.add('old')
  rig.clock.advance(MINUTE)
  rig.add('newer...')
  rig.clock.advance(29 * MINUTE)
  assert.deepEqual(rig.read(), ['old', 'newer...'])
  rig.clock.advance(1)
  assert.deepEqual(rig.read(), ['newer...'])
  rig.clock.advance(MINUTE)
  assert.deepEqual(rig.read(), [])
})

test('SPK-13: the newest 5,000 final segments of a language are kept', () => {
  const rig = new TranscriptsRig()
  for (let n = 0; n < 5_010; n += 1) rig.add(`${n}`)
  const kept = rig.read()
  assert.deepEqual([kept.length, kept[0], kept.at(-1)], [5_000, '10', '5009'])
})

test('SPK-13: the least recently used of more than 50 languages is evicted', () => {
  const rig = new TranscriptsRig()
  const language = (n: number) => `l${n}`
  for (let n = 0; n < 50; n += 1) rig.add('x', language(n))
  rig.add('again', language(0))
  rig.add('new', language(50))
  assert.deepEqual(rig.read(EVER, language(1)), [])
  assert.deepEqual(rig.read(EVER, language(0)), ['x', 'again'])
  assert.deepEqual(rig.read(EVER, language(2)), ['x'])
  assert.deepEqual(rig.read(EVER, language(50)), ['new'])
})

test('SPK-14: one million characters are kept in total; the oldest segments are evicted', () => {
  const rig = new TranscriptsRig()
  const text = (n: number) => `${n}`.padEnd(10_000, '.x')
  rig.add(text(0), 'de-DE')
  for (let n = 1; n <= 100; n += 1) rig.add(text(n))
  assert.deepEqual(rig.read(EVER, 'de-DE'), [])
  assert.equal(rig.read().length, 100)
  rig.add(text(101))
  assert.equal(rig.read().length, 100)
  assert.equal(rig.read()[0], text(2))
})
