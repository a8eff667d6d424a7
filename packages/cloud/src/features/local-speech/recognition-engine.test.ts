import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PhraseTokens } from './phrase-tokens.ts'
import { readableText, resultLanguage } from './recognition-engine.ts'

const tokens = (...list: string[]) =>
  new PhraseTokens(['<blk>', '<sos/eos>', '<unk>', ...list].map((token, id) => `${token} ${id}\n`).join(''))

test('WAKE-6: a phrase is spelled with the tokens of the model, in its case, at the starts of words', () => {
  const model = tokens('▁HE', 'Y', '▁HEY', 'LLO', '▁', 'H', 'E', 'L', 'O', '▁COM', 'PUTER', 'P', 'UTER')
  assert.deepEqual(model.spell('hey computer'), ['▁HEY', '▁COM', 'PUTER'])
  assert.deepEqual(model.spell('Hello'), ['▁HE', 'LLO'])
  assert.deepEqual(model.spell('hole'), ['▁', 'H', 'O', 'L', 'E'])
})

test('WAKE-6: of several spellings with as many tokens the one of more frequent tokens is used', () => {
  assert.deepEqual(tokens('▁ab', 'c', '▁a', 'bc').spell('abc'), ['▁ab', 'c'])
  assert.deepEqual(tokens('▁a', 'bc', '▁ab', 'c').spell('abc'), ['▁a', 'bc'])
})

test('WAKE-6: without marks of words in the model words are not separated', () => {
  assert.deepEqual(tokens('小', '明', '你', '好').spell('你好 小明'), ['你', '好', '小', '明'])
})

test('WAKE-6: a phrase with a letter that no token has is not spelled', () => {
  const model = tokens('▁HE', 'Y', 'LLO')
  for (const phrase of ['hex', 'héy', 'yhe', 'unk']) assert.equal(model.spell(phrase), undefined, phrase)
})

describe('results of recognizers', () => {
  test('LSP-2: text in capital letters only is turned into lower case', () => {
    assert.equal(readableText(' HELLO  WORLD '), 'hello world')
    assert.equal(readableText('Ich bin da'), 'Ich bin da')
    assert.equal(readableText('你好'), '你好')
    assert.equal(readableText(' '), '')
  })

  test('LSP-14: the language of a result', () => {
    assert.deepEqual(['<|en|>', 'de', '', '<|nospeech|>', undefined].map(resultLanguage), [
      'en',
      'de',
      undefined,
      undefined,
      undefined,
    ])
  })
})
