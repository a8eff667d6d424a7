import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { breakLines } from '../../src/pages/break-lines.ts'
import { PIXEL_SCREEN } from '../support/text-page.ts'

const { measure } = PIXEL_SCREEN
const breakAt = (text: string, width: number) => breakLines(text, width, measure)

test('PAGE-1: narrow glyphs leave room for more words than wide ones', () => {
  assert.deepEqual(breakAt('ill ill ill', 60), ['ill ill', 'ill'])
  assert.deepEqual(breakAt('www www www', 60), ['www', 'www', 'www'])
  assert.deepEqual(
    breakAt('a  b\n\n  c ', 60),
    ['a  b', '', '  c'],
    'spaces and line breaks of the app remain',
  )
})

test('PAGE-2: a word longer than a line', () => {
  assert.deepEqual(breakAt('a wwwwwwwww b', 40), ['a', 'wwww', 'wwww', 'w b'])
  assert.deepEqual(breakAt('  wwwww', 40), ['wwww', 'w'])
})

test('PAGE-2: text without spaces, before whose punctuation no line breaks', () => {
  assert.deepEqual(breakAt('字幕で。字幕', 54), ['字幕', 'で。字', '幕'])
  assert.deepEqual(breakAt('see 字幕字幕', 64), ['see 字', '幕字幕'])
})

test('PAGE-2: emoji and combining marks remain whole', () => {
  const family = '👩‍👩‍👧‍👦'
  assert.deepEqual(breakAt(family.repeat(2), measure(family)), [family, family])
  assert.deepEqual(breakAt('e\u0301e\u0302e\u0323e\u0308', 20), ['e\u0301e\u0302', 'e\u0323e\u0308'])
})

test('PAGE-2: text of Thai is broken between words', () => {
  const text = 'ภาษาไทยไม่มีการเว้นวรรค'
  assert.deepEqual(breakAt(text, 80), ['ภาษาไทย', 'ไม่มีการ', 'เว้นวรรค'])
})

test('PAGE-2: a word is broken at a zero-width space, and with a hyphen at a soft one', () => {
  assert.deepEqual(breakAt('www\u200bwww', 44), ['www\u200b', 'www'])
  assert.deepEqual(breakAt('www\u00adwww\u00adw', 40), ['www-', 'wwww'])
  assert.deepEqual(breakAt('ww\u00adww', 100), ['wwww'])
  assert.deepEqual(breakAt('w w\u2009w\u00a0w', 36), ['w w', 'w\u00a0w'], 'a no-break space is none')
})

test('PAGE-2: a cluster wider than the line is broken, a character wider than the line omitted', () => {
  assert.deepEqual(breakAt('👩‍👩', 40), ['👩‍', '👩'])
  assert.deepEqual(breakAt('a字b', 12), ['a', 'b'])
})

test('PAGE-1 PAGE-2: no line is too wide, and no character is lost', () => {
  const word = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.constantFrom('字幕です。', '👩‍👩‍👧‍👦', ' ', '\n'),
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), fc.integer({ min: 90, max: 300 }), (words, width) => {
      const text = words.join(' ')
      const lines = breakAt(text, width)
      for (const line of lines) assert.ok(measure(line) <= width, `${JSON.stringify(line)} is too wide`)
      assert.equal(lines.join('').replace(/\s/g, ''), text.replace(/\s/g, ''))
    }),
  )
})

test('PAGE-6: characters without a width do not make endless lines', () => {
  for (const line of breakAt(`a${'\u0301'.repeat(20_000)}`, 200)) assert.ok(line.length <= 256)
})

test('PAGE-6: each character is measured a few times only, whatever the text', () => {
  const texts = ['\u200b', '字', 'i ', 'a\u0301', 'i', '\u200b ', '😀', 'wide words '].map((part) =>
    part.repeat(5_000 / part.length),
  )
  for (const text of texts) {
    let measured = 0
    breakLines(text, 200, (part) => {
      measured += part.length
      return measure(part)
    })
    assert.ok(
      measured < text.length * 8,
      `${JSON.stringify(text.slice(0, 4))}: ${measured} for ${text.length}`,
    )
  }
})
