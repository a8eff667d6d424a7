import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from './testing/virtual-clock.ts'
import { Transcripts } from './transcripts.ts'

const EVER = { from: 0, to: Number.MAX_SAFE_INTEGER }
const MINUTE = 60_000

/** A history on a virtual clock; a text with three dots is an interim. */
class Bench {
  readonly clock = new VirtualClock(10_000_000)
  readonly transcripts = new Transcripts(this.clock)

  say(text: string, language = 'en-US'): void {
    const isFinal = !text.endsWith('...')
    this.transcripts.add(language, { resultId: text, text, timestamp: this.clock.now(), isFinal })
  }

  read(range = EVER, language = 'en-US'): string[] {
    return this.transcripts.read(language, range).map(({ text }) => text)
  }
}

test('SPK-10: finals and the trailing interim are kept', () => {
  const bench = new Bench()
  bench.say('one...')
  bench.say('one two...')
  assert.deepEqual(bench.read(), ['one two...'])
  bench.say('one two three')
  assert.deepEqual(bench.read(), ['one two three'])
  bench.say('four')
  bench.say('five...')
  assert.deepEqual(bench.read(), ['one two three', 'four', 'five...'])
})

test('SPK-11: a range gives what lies in it, in its language', () => {
  const bench = new Bench()
  const at = (second: number) => 10_000_000 + second * 1_000
  for (const text of ['zero', 'one', 'two', 'three...']) {
    bench.say(text)
    bench.clock.advance(1_000)
  }
  bench.say('hola', 'es-ES')
  assert.deepEqual(bench.read({ from: at(1), to: at(2) }), ['one', 'two'])
  assert.deepEqual(bench.read({ from: at(3), to: at(9) }), ['three...'])
  assert.deepEqual(bench.read({ from: at(2), to: at(1) }), [])
  assert.deepEqual(bench.read(EVER, 'es-ES'), ['hola'])
  assert.deepEqual(bench.read(EVER, 'de-DE'), [])
})

test('SPK-12: after 30 minutes nothing is given any more', () => {
  const bench = new Bench()
  bench.say('old')
  bench.clock.advance(MINUTE)
  bench.say('newer...')
  bench.clock.advance(29 * MINUTE)
  assert.deepEqual(bench.read(), ['old', 'newer...'])
  bench.clock.advance(1)
  assert.deepEqual(bench.read(), ['newer...'])
  bench.clock.advance(MINUTE)
  assert.deepEqual(bench.read(), [])
})

test('SPK-13: 5,000 finals of a language are kept, the newest', () => {
  const bench = new Bench()
  for (let n = 0; n < 5_010; n += 1) bench.say(`${n}`)
  const kept = bench.read()
  assert.deepEqual([kept.length, kept[0], kept.at(-1)], [5_000, '10', '5009'])
})

test('SPK-13: of 50 languages the one not heard for longest goes first', () => {
  const bench = new Bench()
  const language = (n: number) => `l${n}`
  for (let n = 0; n < 50; n += 1) bench.say('x', language(n))
  bench.say('again', language(0))
  bench.say('new', language(50))
  assert.deepEqual(bench.read(EVER, language(1)), [])
  assert.deepEqual(bench.read(EVER, language(0)), ['x', 'again'])
  assert.deepEqual(bench.read(EVER, language(2)), ['x'])
  assert.deepEqual(bench.read(EVER, language(50)), ['new'])
})

test('SPK-14: a million characters are kept in all, the oldest go first', () => {
  const bench = new Bench()
  const text = (n: number) => `${n}`.padEnd(10_000, '.x')
  bench.say(text(0), 'de-DE')
  for (let n = 1; n <= 100; n += 1) bench.say(text(n))
  assert.deepEqual(bench.read(EVER, 'de-DE'), [])
  assert.equal(bench.read().length, 100)
  bench.say(text(101))
  assert.equal(bench.read().length, 100)
  assert.equal(bench.read()[0], text(2))
})
