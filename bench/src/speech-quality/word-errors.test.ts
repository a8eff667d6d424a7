import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compareWords, wordErrorRate, wordsOf } from './word-errors.ts'

/** `substitutions insertions deletions / words`. */
function errorsOf(spoken: string, recognized: string): string {
  const { words, substitutions, insertions, deletions } = compareWords(spoken, recognized)
  return `${substitutions} ${insertions} ${deletions} / ${words}`
}

describe('Word errors', () => {
  test('case, punctuation and the form of characters do not count; numbers stay as they are', () => {
    assert.deepEqual(wordsOf(' “Don’t”, he SAID — it’s\n10:30! '), [
      "don't",
      'he',
      'said',
      "it's",
      '10',
      '30',
    ])
    assert.deepEqual(wordsOf('Die Straße, schön: cafe\u0301 ﬁn'), ['die', 'straße', 'schön', 'café', 'fin'])
    assert.deepEqual(wordsOf("a well-known 'quote'"), ['a', 'well', 'known', 'quote'])
    assert.deepEqual(wordsOf(' …?! '), [])
    assert.equal(errorsOf('ten past 8', '10 past eight'), '2 0 0 / 3')
  })

  test('scripts without spaces are compared by character', () => {
    assert.deepEqual(wordsOf('我爱Glasses 3 次。'), ['我', '爱', 'glasses', '3', '次'])
    assert.deepEqual(wordsOf('カメラです'), ['カ', 'メ', 'ラ', 'で', 'す'])
    assert.deepEqual(wordsOf('안녕하세요 여러분'), ['안녕하세요', '여러분'])
  })

  test('substitutions, insertions and deletions are the fewest that explain the text', () => {
    assert.equal(errorsOf('the cat sat', 'the cat sat'), '0 0 0 / 3')
    assert.equal(errorsOf('the cat sat', 'the bat sat'), '1 0 0 / 3')
    assert.equal(errorsOf('the cat sat', 'the big cat sat down'), '0 2 0 / 3')
    assert.equal(errorsOf('the cat sat on the mat', 'cat on mat'), '0 0 3 / 6')
    assert.equal(errorsOf('one two three four', 'two three five four six'), '0 2 1 / 4')
    assert.equal(errorsOf('one two three', ''), '0 0 3 / 3')
    assert.equal(errorsOf('', 'one two'), '0 2 0 / 0')
  })

  test('insertions can make the rate larger than 1, and it needs spoken words', () => {
    assert.equal(wordErrorRate(compareWords('one', 'one two three')), 2)
    assert.equal(wordErrorRate(compareWords('one two three four', 'one too three')), 0.5)
    assert.ok(Number.isNaN(wordErrorRate(compareWords('', 'one'))))
  })
})
