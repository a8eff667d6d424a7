import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutText, firstCharacter, foldText, withoutInvisible } from './text.ts'

const FAMILY = '👩‍👩‍👧‍👦'

test('a text is cut between characters as they are read', () => {
  const cases: [text: string, maxLength: number, cut: string][] = [
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['ab😀', 3, 'ab'],
    ['abe\u0301', 3, 'ab'],
    ['abe\u0301', 4, 'abe\u0301'],
    ['ab\r\n', 3, 'ab'],
    [`a${FAMILY}b`, 8, 'a'],
    ['🇩🇪🇫🇷', 6, '🇩🇪'],
    ['ที่นี่', 5, 'ที่'],
    ['한국'.normalize('NFD'), 5, '한'.normalize('NFD')],
    ['x'.repeat(10), 0, ''],
  ]
  for (const [text, maxLength, cut] of cases)
    assert.equal(cutText(text, maxLength), cut, JSON.stringify(text))
  // A letter with more marks than fit is cut within its marks, and a character of two halves not at all.
  assert.equal(cutText(`e${'\u0301'.repeat(20)}`, 5).length, 5)
  assert.equal(cutText('😀', 1), '')
})

test('equal words have the same folded form', () => {
  for (const words of [
    ['한국어', '한국어'.normalize('NFD')],
    ['Café', 'CAFE\u0301', 'café'],
    ['Straße', 'STRASSE', 'stra\u00adße'],
    ['ΟΔΟΣ', 'οδος', 'οδοσ'],
    ['İstanbul', 'istanbul'],
    ['ﬁne', 'FINE', 'ｆｉｎｅ'],
    ['שָׁלוֹם', 'שלום'],
    ['مُحَمَّد', 'محمد', 'محـمد'],
    ['می\u200cخواهم', 'میخواهم'],
    ['\ufeffone\u200b', 'one\u200e\ufe0f'],
  ])
    assert.equal(new Set(words.map(foldText)).size, 1, words.join(' '))
  assert.notEqual(foldText('กา'), foldText('กี'), 'vowels of Thai are marks that count')
})

test('what takes no room is removed, and the first character that does is whole', () => {
  assert.equal(withoutInvisible('\ufeffa\u200b\u200c\u200d\u00ad\u2060\u202e\u2066b\u{e0041}\ufe0f'), 'ab')
  assert.deepEqual(
    [`${FAMILY} Club`, '\u200b e\u0301t', '한국'.normalize('NFD'), '', '\u200b'].map(firstCharacter),
    [FAMILY, 'e\u0301', '한'.normalize('NFD'), '', ''],
  )
})
